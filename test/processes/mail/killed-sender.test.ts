import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newEmail, post, register } from "../../support/people/accounts.js";
import { lettersOf, mailSettings, makeDue, startMailServer, tokenIn } from "../../support/service/letters.js";
import { eventually, startTestService } from "../../support/service/service.js";

describe("ACC-29: the mail server is away, and the node dies by kill -9", () => {
  it("every letter arrives once both are back, and the outbox has exactly these rows", async () => {
    // The port is known, but nobody listens on it.
    const away = await startMailServer();
    await away.close();
    const service = await startTestService(mailSettings(away.url));
    const owner = await register(service);
    const invited = newEmail();
    const answer = await post(
      service,
      "/v1/team/invitations",
      { email: invited, role: "analyst" },
      owner.token,
    );
    assert.equal(answer.status, 201);
    const tried = (): Promise<number> =>
      service.pool
        .query("select from mails where attempts > 0 and status = 'waiting'")
        .then(({ rowCount }) => rowCount ?? 0);
    await eventually(async () => assert.equal(await tried(), 2));
    await service.killAndRestart();
    const server = await startMailServer(away.port);
    await makeDue(service.pool);
    await eventually(async () =>
      assert.deepEqual(server.taken.map(({ to }) => to).toSorted(), [owner.email, invited].toSorted()),
    );
    for (const email of [owner.email, invited]) {
      await eventually(async () =>
        assert.deepEqual(await lettersOf(service.pool, email), [{ status: "sent", sealed: false }]),
      );
    }
    assert.equal((await service.pool.query("select from mails")).rowCount, 2);
    const letter = server.taken.find(({ to }) => to === invited) ?? assert.fail();
    const acceptance = { token: tokenIn(letter), name: "Bo", password: "correct horse battery" };
    assert.equal((await post(service, "/v1/auth/accept-invitation", acceptance)).status, 201);
    await server.close();
  });
});
