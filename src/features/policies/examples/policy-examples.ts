import type { Examples } from "../../../platform/wire/operation.js";

/** Recorded from the service. */
export const POLICY_EXAMPLES: Examples = {
  createPolicy: {
    request: {
      merchant_id: "demo_merchant",
      name: "Launch",
      default_provider: "provider_1",
      publish: true,
      rules: [
        {
          name: "Hold large payments of guests",
          when: { customer_type_in: ["guest"], amount_gte: 500000, currency_in: ["USD"] },
          then: { type: "hold" },
        },
        {
          name: "Cards in Nigeria by provider_2",
          when: { payment_method_in: ["card"], country_in: ["NG"] },
          then: { type: "prefer_provider", provider: "provider_2" },
        },
      ],
    },
    "200": {
      policy: {
        policy_id: "pol_01m7x2m71k0p2cpq1pn69aabtq",
        merchant_id: "demo_merchant",
        name: "Launch",
        status: "published",
        version: "v1",
        default_provider: "provider_1",
        rules: [
          {
            rule_id: "rule_01m7x2m7193kbwzz57j786qw3q",
            name: "Hold large payments of guests",
            priority: 10,
            enabled: true,
            when: { customer_type_in: ["guest"], amount_gte: 500000, currency_in: ["USD"] },
            then: { type: "hold" },
          },
          {
            rule_id: "rule_01m7x2m7193kbwzz57j786qw3r",
            name: "Cards in Nigeria by provider_2",
            priority: 20,
            enabled: true,
            when: { payment_method_in: ["card"], country_in: ["NG"] },
            then: { type: "prefer_provider", providers: ["provider_2"], strict: true, boost: 15 },
          },
        ],
        updated_at: "2026-11-20T18:13:46.165Z",
      },
      db_id: "01a1fa2a-1c33-0584-cb5c-36a992a52f57",
      warnings: [],
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "name", code: "too_small", message: "Must hold at least 1 character(s)" }],
    },
    "403": { statusCode: 403, message: "Merchant is not registered in this workspace", error: "Forbidden" },
    "409": { statusCode: 409, message: "Limit of 1000 policies per merchant reached", error: "Conflict" },
  },
  publishPolicy: {
    "200": {
      policy: {
        policy_id: "pol_01m7x2m74pv0n8v60eef8wbfxe",
        merchant_id: "demo_merchant",
        name: "Second",
        status: "published",
        version: "v2",
        default_provider: "provider_1",
        rules: [
          {
            rule_id: "rule_01m7x2m749e5g8659janaek1p5",
            name: "Hold large payments of guests",
            priority: 10,
            enabled: true,
            when: { customer_type_in: ["guest"], amount_gte: 500000, currency_in: ["USD"] },
            then: { type: "hold" },
          },
          {
            rule_id: "rule_01m7x2m749e5g8659janaek1p6",
            name: "Cards in Nigeria by provider_2",
            priority: 20,
            enabled: true,
            when: { payment_method_in: ["card"], country_in: ["NG"] },
            then: { type: "prefer_provider", providers: ["provider_2"], strict: true, boost: 15 },
          },
        ],
        updated_at: "2026-11-20T18:13:46.323Z",
      },
    },
    "404": { statusCode: 404, message: "Policy not found", error: "Not Found" },
  },
  listPolicies: {
    "200": {
      policies: [
        {
          policy_id: "pol_01m7x2m74pv0n8v60eef8wbfxe",
          name: "Second",
          status: "published",
          version: "v2",
          default_provider: "provider_1",
          rules: [
            {
              rule_id: "rule_01m7x2m749e5g8659janaek1p5",
              name: "Hold large payments of guests",
              priority: 10,
              enabled: true,
              when: { customer_type_in: ["guest"], amount_gte: 500000, currency_in: ["USD"] },
              then: { type: "hold" },
            },
            {
              rule_id: "rule_01m7x2m749e5g8659janaek1p6",
              name: "Cards in Nigeria by provider_2",
              priority: 20,
              enabled: true,
              when: { payment_method_in: ["card"], country_in: ["NG"] },
              then: { type: "prefer_provider", providers: ["provider_2"], strict: true, boost: 15 },
            },
          ],
          updated_at: "2026-11-20T18:13:46.323Z",
        },
        {
          policy_id: "pol_01m7x2m71k0p2cpq1pn69aabtq",
          name: "Launch",
          status: "archived",
          version: "v1",
          default_provider: "provider_1",
          rules: [
            {
              rule_id: "rule_01m7x2m7193kbwzz57j786qw3q",
              name: "Hold large payments of guests",
              priority: 10,
              enabled: true,
              when: { customer_type_in: ["guest"], amount_gte: 500000, currency_in: ["USD"] },
              then: { type: "hold" },
            },
            {
              rule_id: "rule_01m7x2m7193kbwzz57j786qw3r",
              name: "Cards in Nigeria by provider_2",
              priority: 20,
              enabled: true,
              when: { payment_method_in: ["card"], country_in: ["NG"] },
              then: { type: "prefer_provider", providers: ["provider_2"], strict: true, boost: 15 },
            },
          ],
          updated_at: "2026-11-20T18:13:46.323Z",
        },
      ],
    },
    "403": { statusCode: 403, message: "Merchant is not registered in this workspace", error: "Forbidden" },
  },
  translatePolicy: {
    request: { merchant_id: "demo_merchant", text: "Hold payments over 5000 USD from guests. Sing a song." },
    "200": {
      draft: {
        name: "Translated policy",
        default_provider: null,
        rules: [
          {
            rule_id: "rule_01m7x2m7cnxtwk67heg10twj4n",
            name: "Hold over 5000 USD from guests",
            priority: 10,
            enabled: true,
            when: { amount_gt: 500000, currency_in: ["USD"], customer_type_in: ["guest"] },
            then: { type: "hold" },
          },
        ],
      },
      warnings: [
        {
          sentence_index: 1,
          code: "not_understood",
          message: "The sentence was not understood as a whole, so no rule was made of it",
        },
      ],
      valid: true,
    },
    "400": {
      error: "validation_error",
      issues: [{ path: "text", code: "invalid_type", message: "Required" }],
    },
    "403": { statusCode: 403, message: "Merchant is not registered in this workspace", error: "Forbidden" },
  },
};
