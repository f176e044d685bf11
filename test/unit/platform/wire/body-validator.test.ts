import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createDecisionValidator } from "../../../../src/path/wire/decision-schema.js";
import {
  countKeysInText,
  countKeysInValue,
  findJsonIssues,
} from "../../../../src/platform/wire/json-text.js";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";

const PROVIDERS = ["provider_1", "provider_2"];
const validator = createDecisionValidator(PROVIDERS);

interface Body {
  [key: string]: unknown;
  transaction: Record<string, unknown>;
}

function body(): Body {
  return {
    merchant_id: "demo_merchant",
    order_id: "order_1",
    transaction: { amount: 1000, currency: "USD", country: "NG", payment_method: "card" },
    available_providers: ["provider_1"],
  };
}

function issuesOf(text: string) {
  const result = validator.parse(text);
  return result.ok ? [] : result.issues;
}

/** Returns the body with the value at a dotted path replaced. */
function withValue(path: string, value: unknown): string {
  const changed = body();
  const segments = path.split(".");
  const last = segments.pop() as string;
  let at: Record<string, unknown> = changed;
  for (const segment of segments) at = (at[segment] ??= {}) as Record<string, unknown>;
  at[last] = value;
  return JSON.stringify(changed);
}

describe("Decision request body", () => {
  it("REQ-1, REQ-15: accepts the smallest body", () => {
    const result = validator.parse(JSON.stringify(body()));
    assert.ok(result.ok);
    // An absent field may be present as undefined.
    assert.deepEqual(JSON.parse(JSON.stringify(result.value)), body());
  });

  const refused: [what: string, path: string, value: unknown, code: string][] = [
    ["an empty merchant_id", "merchant_id", "", "too_small"],
    ["FMT-9: a merchant_id of 129 characters", "merchant_id", "m".repeat(129), "too_big"],
    ["ERR-7, FMT-9: a merchant_id with a space", "merchant_id", "a b", "invalid_string"],
    ["REQ-2: an empty order_id", "order_id", "", "too_small"],
    ["REQ-2: an order_id of 129 characters", "order_id", "o".repeat(129), "too_big"],
    ["REQ-1: a numeric order_id", "order_id", 5, "invalid_type"],
    ["ERR-6, ERR-7, REQ-5: an amount of zero", "transaction.amount", 0, "too_small"],
    ["a negative amount", "transaction.amount", -1, "too_small"],
    ["ERR-7, FMT-13, REQ-5: a decimal amount", "transaction.amount", 10.5, "invalid_type"],
    ["an amount as text", "transaction.amount", "10", "invalid_type"],
    ["FMT-13: an amount above 2^53 - 1", "transaction.amount", 2 ** 53, "too_big"],
    ["FMT-11: a lower-case currency", "transaction.currency", "usd", "invalid_string"],
    ["FMT-11, REQ-6: a currency outside ISO 4217", "transaction.currency", "ABC", "invalid_string"],
    ["FMT-12, REQ-6: a country outside ISO 3166-1", "transaction.country", "XX", "invalid_string"],
    ["FMT-12: a three-letter country", "transaction.country", "NGA", "invalid_string"],
    ["ERR-7, REQ-7: an unknown payment method", "transaction.payment_method", "cash", "invalid_enum_value"],
    ["REQ-8: an unknown card network", "transaction.card_network", "diners", "invalid_enum_value"],
    ["REQ-9: an unknown transaction type", "transaction.transaction_type", "refund", "invalid_enum_value"],
    ["REQ-10: an unknown customer type", "transaction.customer_type", "vip", "invalid_enum_value"],
    ["REQ-10: an unknown risk level", "transaction.risk_level", "extreme", "invalid_enum_value"],
    ["ERR-7, REQ-11: a risk score of 101", "transaction.risk_score", 101, "too_big"],
    ["a risk score of -1", "transaction.risk_score", -1, "too_small"],
    ["a null optional field", "transaction.risk_score", null, "invalid_type"],
    ["REQ-3: no offered provider", "available_providers", [], "too_small"],
    [
      "ERR-6, REQ-3: a provider that is not configured",
      "available_providers.0",
      "stripe",
      "invalid_enum_value",
    ],
    ["ERR-7, REQ-3: a provider offered twice", "available_providers", ["provider_1", "provider_1"], "custom"],
    ["a number where a name belongs", "transaction.payment_method", 5, "invalid_type"],
    ["a null name", "decision_mode", null, "invalid_type"],
    ["REQ-4: an unknown decision mode", "decision_mode", "observe", "invalid_enum_value"],
    ["REQ-1: a previous attempt that is no object", "previous_attempt", "timeout", "invalid_type"],
    ["REQ-16: a negative velocity", "risk_signals.velocity_count_10m", -1, "too_small"],
    ["ERR-7, REQ-16: a decimal velocity", "risk_signals.velocity_count_1h", 1.5, "invalid_type"],
    ["REQ-18: a negative order age", "risk_signals.order_age_seconds", -1, "too_small"],
    ["REQ-19: a truthy ip_country_match", "risk_signals.ip_country_match", 1, "invalid_type"],
    ["REQ-20: a merchant score of 101", "risk_signals.merchant_supplied_risk_score", 101, "too_big"],
    ["ERR-7, ERR-9: an unknown field", "coupon", 1, "unrecognized_keys"],
    ["ERR-9, SVC-2: an unknown transaction field", "transaction.card_number", "x", "unrecognized_keys"],
    ["ERR-9: an unknown risk signal", "risk_signals.email", "x", "unrecognized_keys"],
  ];
  for (const [what, path, value, code] of refused) {
    it(`refuses ${what}`, () => {
      const [issue, ...more] = issuesOf(withValue(path, value));
      assert.deepEqual([issue?.path, issue?.code], [path, code]);
      assert.deepEqual(more, []);
    });
  }

  for (const path of [
    "merchant_id",
    "order_id",
    "transaction",
    "available_providers",
    "transaction.currency",
  ]) {
    it(`ERR-8, REQ-1: reports a missing ${path} as invalid_type Required`, () => {
      assert.deepEqual(issuesOf(withValue(path, undefined)), [
        { path, code: "invalid_type", message: "Required" },
      ]);
    });
  }

  it("FMT-9, FMT-13, REQ-2, REQ-5, REQ-11, REQ-18, REQ-20: takes the bounds themselves", () => {
    for (const [path, value] of [
      ["merchant_id", "m".repeat(128)],
      ["merchant_id", "A.b_c:d-9"],
      ["order_id", "é".repeat(128)],
      ["transaction.amount", 1],
      ["transaction.amount", 2 ** 53 - 1],
      ["transaction.risk_score", 0],
      ["transaction.risk_score", 100],
      ["risk_signals.order_age_seconds", 0],
    ] as const) {
      assert.equal(validator.parse(withValue(path, value)).ok, true, `${path} = ${value}`);
    }
  });

  it("REQ-14: takes a provider_reason_code of 64 characters and refuses one of 65", () => {
    const attempt = (chars: number) => ({
      provider: "provider_1",
      outcome: "declined",
      provider_reason_code: "c".repeat(chars),
    });
    assert.equal(validator.parse(withValue("previous_attempt", attempt(64))).ok, true);
    assert.deepEqual(
      issuesOf(withValue("previous_attempt", attempt(65))).map(({ path, code }) => [path, code]),
      [["previous_attempt.provider_reason_code", "too_big"]],
    );
  });
});

describe("validation issues", () => {
  it("ERR-13, REQ-5, REQ-6: lists every issue of a body", () => {
    const issues = issuesOf(
      JSON.stringify({ order_id: "", transaction: { amount: 1.5 }, available_providers: [], x: 1 }),
    );
    assert.deepEqual(issues.map(({ path, code }) => `${path} ${code}`).toSorted(), [
      "available_providers too_small",
      "merchant_id invalid_type",
      "order_id too_small",
      "transaction.amount invalid_type",
      "transaction.country invalid_type",
      "transaction.currency invalid_type",
      "transaction.payment_method invalid_type",
      "x unrecognized_keys",
    ]);
  });

  it("ERR-13: reports at most 20", () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`field_${String.fromCharCode(97 + (i % 26))}${i}`, i]),
    );
    assert.equal(issuesOf(JSON.stringify({ ...body(), ...many })).length, 20);
  });

  it("ERR-7: says invalid_json for text that is not JSON", () => {
    for (const text of ["", "{", "nope", "{'a':1}", '{"a":1,}', "\u{feff}{}"]) {
      assert.deepEqual(
        issuesOf(text).map(({ path, code }) => [path, code]),
        [["", "invalid_json"]],
        text,
      );
    }
  });

  it("says invalid_json for bytes that are not UTF-8", () => {
    const result = validator.parseBytes(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    assert.equal(result.ok ? "" : result.issues[0]?.code, "invalid_json");
  });

  it("ERR-6: names the body itself with an empty path", () => {
    for (const text of ["null", "5", "[]", '"text"']) {
      assert.deepEqual(
        issuesOf(text).map(({ path, code }) => [path, code]),
        [["", "invalid_type"]],
        text,
      );
    }
  });

  it("ERR-12: redacts an unknown name that could be data", () => {
    for (const name of ["4111111111111111", "card 4111", "a-b", "x123456", "né", "", "a".repeat(65)]) {
      assert.deepEqual(
        issuesOf(withValue(name, 1)).map(({ path }) => path),
        ["[redacted]"],
        name,
      );
      assert.deepEqual(
        issuesOf(JSON.stringify({ ...body(), transaction: { ...body().transaction, [name]: 1 } })).map(
          ({ path }) => path,
        ),
        ["transaction.[redacted]"],
        name,
      );
    }
    assert.deepEqual(
      issuesOf(withValue("card_12345", 1)).map(({ path }) => path),
      ["card_12345"],
    );
  });

  it("ERR-11: never echoes a submitted value", () => {
    const secret = "4242424242424242";
    for (const path of [
      "merchant_id",
      "order_id",
      "transaction.currency",
      "transaction.payment_method",
      "decision_mode",
    ]) {
      for (const value of [{ [secret]: secret }, [secret], ` ${secret} `.repeat(20)]) {
        assert.equal(JSON.stringify(issuesOf(withValue(path, value))).includes(secret), false, path);
      }
    }
  });

  it("ERR-14: refuses a key given twice, at any depth", () => {
    const text = JSON.stringify(body());
    const twice: [text: string, path: string][] = [
      [text.replace("{", '{"merchant_id":"x",'), "merchant_id"],
      [text.replace('"amount":', '"amount":5,"amount":'), "transaction.amount"],
      [text.replace('"amount":', '"\\u0061mount":5,"amount":'), "transaction.amount"],
      [text.replace("{", '{"4111111111111111":1,"4111111111111111":2,'), "[redacted]"],
    ];
    for (const [body, path] of twice) {
      assert.ok(
        issuesOf(body).some((issue) => issue.path === path && issue.code === "custom"),
        body,
      );
    }
  });

  it("ERR-14: refuses __proto__ and constructor as unknown keys, leaving prototypes alone", () => {
    for (const name of ["__proto__", "constructor", "prototype"]) {
      const text = JSON.stringify(body()).replace("{", `{"${name}":{"polluted":true},`);
      assert.deepEqual(
        issuesOf(text).map(({ path, code }) => [path, code]),
        [[name, "unrecognized_keys"]],
      );
    }
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });

  it("ERR-7, ERR-14: refuses U+0000 and lone surrogates in any string", () => {
    for (const escape of ["\\u0000", "\\ud800", "\\udfff", "a\\udc00b"]) {
      const text = JSON.stringify(body()).replace("order_1", escape);
      assert.deepEqual(
        issuesOf(text).map(({ path, code }) => [path, code]),
        [["order_id", "invalid_string"]],
        escape,
      );
    }
    assert.equal(validator.parse(JSON.stringify(body()).replace("order_1", "\\ud83d\\ude00")).ok, true);
  });

  it("ERR-14: refuses nesting deeper than 32 levels", () => {
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    assert.deepEqual(
      issuesOf(nested(33)).map(({ code }) => code),
      ["custom", "invalid_type"],
    );
    assert.deepEqual(
      issuesOf(nested(32)).map(({ code }) => code),
      ["invalid_type"],
    );
  });

  it("says of a large text that nests too deep only that, JSON or not: it is not parsed", () => {
    for (const text of ["[".repeat(1_000_000), `${"[".repeat(500_000)}${"]".repeat(500_000)}`]) {
      assert.deepEqual(
        issuesOf(text).map(({ path, code }) => [path, code]),
        [["", "custom"]],
      );
    }
    const closed = `{"a":"${"[".repeat(50_000)}","b":[${"[],".repeat(100)}[]]}`;
    assert.ok(issuesOf(closed).every(({ code }) => code === "unrecognized_keys" || code === "invalid_type"));
  });

  it("says of a text that holds more values than any body only that: it is not parsed", () => {
    const list = (values: number): string => `[${"0,".repeat(values - 1)}0]`;
    const codes = (text: string): string[] => issuesOf(text).map(({ path, code }) => `${code} ${path}`);
    assert.deepEqual(codes(list(LIMITS.bodyValuesMax)), ["invalid_type "]);
    assert.deepEqual(codes(list(LIMITS.bodyValuesMax + 1)), ["too_big "]);
    assert.deepEqual(codes(`{"a":[${"[],".repeat(LIMITS.bodyValuesMax / 2)}[]]}`), ["too_big "]);
    assert.deepEqual(codes(`{"a":[${"0,".repeat(LIMITS.bodyValuesMax)}`), ["too_big "]);
    assert.deepEqual(codes(`["${",[{".repeat(LIMITS.bodyValuesMax)}"]`), ["invalid_type "]);
  });

  it("says of a value with room for thousands of errors the first one, of any other all of them", () => {
    const codes = (unknown: number): string[] => {
      const wrong = {
        ...body(),
        ...Object.fromEntries(Array.from({ length: unknown }, (_, i) => [`k${i}`, 0])),
      };
      const checked = validator.check(wrong, "");
      return checked.ok ? [] : checked.issues.map(({ path, code }) => `${code} ${path}`);
    };
    const own = Object.keys(body()).length + Object.keys(body().transaction).length + 1;
    assert.equal(codes(LIMITS.listedValuesMax - own).length, LIMITS.validationIssuesMax);
    assert.deepEqual(codes(LIMITS.listedValuesMax - own + 1), ["unrecognized_keys k0"]);
    const many = Array.from({ length: LIMITS.listedValuesMax }, () => "provider_9");
    assert.deepEqual(validator.check({ ...body(), available_providers: many }, ""), {
      ok: false,
      issues: [
        {
          path: "available_providers.0",
          code: "invalid_enum_value",
          message: `Must be one of ${PROVIDERS.join(", ")}`,
        },
      ],
    });
  });

  it("names the issues that a text hides at any depth, up to the number that is listed", () => {
    const hidden = (text: string): string[] =>
      findJsonIssues(text, JSON.parse(text)).map(({ path, code, message }) => `${code} ${path}: ${message}`);
    assert.deepEqual(hidden('{"a":[1,{"b":{"\\u0063":1,"c":2}},[{"x y":"\\ud800"}]],"a":0,"d":"\\u0000"}'), [
      "custom a.1.b.c: Duplicate key",
      "custom a: Duplicate key",
      "invalid_string d: Holds a character that is not allowed",
    ]);
    assert.deepEqual(hidden('[[],{"a":["",{"x y":"\\ud800"}]}]'), [
      "invalid_string 1.a.1.[redacted]: Holds a character that is not allowed",
    ]);
    const many = Array.from({ length: 50 }, (_, i) => `"k${i}":"\\u0000","k${i}":"\\u0000"`).join(",");
    assert.deepEqual(
      hidden(`{${many}}`),
      Array.from({ length: LIMITS.validationIssuesMax }, (_, i) => `custom k${i}: Duplicate key`),
    );
    assert.equal(hidden(`[${'"\\u0000",'.repeat(50)}0]`).length, LIMITS.validationIssuesMax);
  });

  it("counts the keys of a text that is not JSON without running past its end (property)", () => {
    const pieces = fc.constantFrom('"', "\\", "{", "}", "[", "]", ":", ",", "a");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        assert.ok(countKeysInText(parts.join("")) >= -1);
      }),
      { numRuns: 2000 },
    );
  });

  it("counts the keys of any JSON text as its value has them, unless one is repeated (property)", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat({ max: 4 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.equal(countKeysInText(text), countKeysInValue(JSON.parse(text)));
      }),
      { numRuns: 2000 },
    );
  });
});
