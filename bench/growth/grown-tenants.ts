import { createHash } from "node:crypto";
import type pg from "pg";
import { MODES, SCOPES } from "../../src/domain/vocabulary/vocabulary.js";
import { PUBLISHED } from "../../src/features/policies/policy-rows.js";
import { rulesFormat, type PolicyKind } from "./grown-policies.js";

/**
 * The content of a grown database. Each workspace has the same number of merchants, and each merchant a live policy of
 * ten rules.
 */
export interface GrownTenants {
  workspaces: number;
  merchantsEach: number;
  policies: PolicyKind;
}

/**
 * The key of workspace `number`, in test mode with all scopes. It is a function of the number, so a run knows the keys
 * of 100,000 workspaces without reading them.
 */
export function grownKey(number: number): string {
  const digits = (text: string): string => createHash("md5").update(`${text} ${number}`).digest("hex");
  return `pi_test_${digits("public").slice(0, 16)}${digits("secret")}${digits("more").slice(0, 16)}`;
}

/** Writes a merchant id in SQL, in the form of `spreadMerchantId`. */
const merchantIdOf = (number: string): string => `'shop_' || lpad(${number}::text, 7, '0')`;

/**
 * Inserts all rows, with one statement for each table and client. A million policies take a minute or two. Triggers are
 * off, so no change notes are written: the tenants existed before any node.
 */
export async function growTenants(clients: readonly pg.Client[], tenants: GrownTenants): Promise<void> {
  const { workspaces, merchantsEach, policies } = tenants;
  const [client] = clients;
  if (client === undefined) throw new RangeError("nobody to insert");
  // An id depends only on its kind and its number, so that every statement gets the same id.
  const baseMs = Date.now();
  const withGrownId = `
    create function pg_temp.grown_id(kind text, number bigint) returns uuid language sql immutable as $$
      select (lpad(to_hex(${baseMs} + number / 1000), 12, '0') || lpad(to_hex(number), 8, '0')
              || substr(md5(kind || number), 1, 12))::uuid
    $$`;
  for (const each of clients) await each.query(withGrownId);
  const setTriggers = async (state: "enable" | "disable"): Promise<void> => {
    for (const table of ["workspaces", "merchants", "policies", "api_keys"])
      await client.query(`alter table ${table} ${state} trigger user`);
  };
  await setTriggers("disable");
  await client.query(
    `insert into workspaces (workspace_id, name)
     select pg_temp.grown_id('ws', w), 'Grown ' || w from generate_series(0, $1::bigint - 1) w`,
    [workspaces],
  );
  await client.query(
    `insert into merchants (workspace_id, merchant_id)
     select pg_temp.grown_id('ws', w), ${merchantIdOf("m")}
     from generate_series(0, $1::bigint - 1) w, generate_series(0, $2::bigint - 1) m`,
    [workspaces, merchantsEach],
  );
  // This is most of the work, so each client does a part of it.
  const total = workspaces * merchantsEach;
  const startOf = (part: number): number => Math.floor((total * part) / clients.length);
  await Promise.all(
    clients.map((each, part) =>
      each.query(
        `insert into policies (workspace_id, policy_id, merchant_id, version_number, name, status, rules)
         select pg_temp.grown_id('ws', n / $3), pg_temp.grown_id('pol', n), ${merchantIdOf("(n % $3)")}, 1,
                'Policy ' || n, $4,
                format($5, '01' || substr(md5('rule' || n), 1, 23), n, lpad((n % 1000)::text, 3, '0'),
                       lpad((n / 1000 % 1000)::text, 3, '0'))::json
         from generate_series($1::bigint, $2::bigint - 1) n`,
        [startOf(part), startOf(part + 1), merchantsEach, PUBLISHED, rulesFormat(policies)],
      ),
    ),
  );
  await client.query(
    `insert into api_keys (workspace_id, key_id, public_id, name, mode, scopes, salt, secret_hash)
     select workspace_id, key_id, public_id, 'Grown', ${MODES.indexOf("test")}, $2::smallint[], salt,
            sha256(salt || convert_to('pi_test_' || public_id || secret, 'LATIN1'))
     from (
       select pg_temp.grown_id('ws', w) as workspace_id, pg_temp.grown_id('key', w) as key_id,
              substr(md5('public ' || w), 1, 16) as public_id,
              md5('secret ' || w) || substr(md5('more ' || w), 1, 16) as secret,
              decode(md5('salt ' || w), 'hex') as salt
       from generate_series(0, $1::bigint - 1) w
     ) keys`,
    [workspaces, SCOPES.map((_, position) => position)],
  );
  // Does the work of autovacuum after the rows are inserted.
  await setTriggers("enable");
  await client.query("vacuum analyze");
}
