import { randomFillSync } from "node:crypto";
import { createIdGenerator, createRandomSource } from "../../../src/domain/ids/ids.js";

const ids = createIdGenerator(createRandomSource(randomFillSync));

/** The request ids for a server that a test makes itself. */
export const nextRequestId = () => ids.nextUnwritten(Date.now());
/** A request id that the server made. */
export const REQUEST_ID = /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
