import { createIdGenerator } from "../../../src/domain/ids/ids.js";
import { createRandomSource } from "../../../src/platform/node/random-source.js";

const ids = createIdGenerator(createRandomSource());

/** For a server of a test's own. */
export const nextRequestId = () => ids.nextUnwritten(Date.now());
/** One that the server made. */
export const REQUEST_ID = /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
