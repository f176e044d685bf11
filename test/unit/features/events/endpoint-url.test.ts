import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isEndpointUrl } from "../../../../src/features/events/address/endpoint-url.js";
import { parseNewEventEndpoint } from "../../../../src/features/events/wire/event-endpoint-body.js";
import { isPublicAddress } from "../../../../src/features/events/address/public-address.js";

const PUBLIC = [
  "1.1.1.1",
  "172.15.255.255",
  "172.32.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "223.255.255.255",
];
const PUBLIC_V6 = ["2606:4700:4700::1111", "2a00:1450:4001:80b::200e"];
const NOT_PUBLIC = [
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.255",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
];
const NOT_PUBLIC_V6 = [
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:1.1.1.1",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "ff02::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
];

describe("EVT-10: only hosts of the public Internet", () => {
  for (const address of [...PUBLIC, ...PUBLIC_V6])
    it(`${address} is one`, () => assert.equal(isPublicAddress(address), true));
  for (const address of [...NOT_PUBLIC, ...NOT_PUBLIC_V6, "", "localhost", "127.1", "2130706433"])
    it(`"${address}" is none`, () => assert.equal(isPublicAddress(address), false));
});

describe("EVT-2, EVT-10: an endpoint's address", () => {
  const refused = [
    ...NOT_PUBLIC.map((address) => `https://${address}/`),
    ...NOT_PUBLIC_V6.map((address) => `https://[${address}]/`),
    // Other spellings of 127.0.0.1 and of 169.254.169.254.
    "https://2130706433/",
    "https://0177.0.0.1/",
    "https://0x7f.0.0.1/",
    "https://0x7f000001/",
    "https://127.1/",
    "https://0251.0376.0251.0376/",
    "https://1%32%37.0.0.1/",
    "https://①②⑦.0.0.1/",
    "https://localhost/",
    "https://LOCALHOST:8443/",
    "https://api.localhost/",
    "https://metadata.google.internal/",
    "https://printer.local./",
    "http://shop.example.com/",
    "ftp://shop.example.com/",
    "https://user:password@shop.example.com/",
    "https://user@shop.example.com/",
    "https://999.1.1.1/",
    "https://shop.example.com:99999/",
    "shop.example.com",
  ];
  for (const url of refused) it(`refuses ${url}`, () => assert.equal(isEndpointUrl(url, false), false));
  for (const url of ["https://shop.example.com/", "https://shop.example.com:8443/a?b=c", "https://1.1.1.1/"])
    it(`takes ${url}`, () => assert.equal(isEndpointUrl(url, false), true));

  it("is a name, an IPv4 address, or an IPv6 address in brackets", () => {
    const issuesOf = (url: string): unknown[] => {
      const parsed = parseNewEventEndpoint(JSON.stringify({ url, types: ["key.created"] }), false);
      return parsed.ok ? [] : parsed.issues.map(({ path, code }) => [path, code]);
    };
    for (const host of ["shop.example.com", "1.1.1.1", ...PUBLIC_V6.map((address) => `[${address}]`)])
      assert.deepEqual(issuesOf(`https://${host}:8443/a?b=c`), [], host);
    for (const address of NOT_PUBLIC_V6)
      assert.deepEqual(issuesOf(`https://[${address}]/`), [["url", "custom"]], address);
    for (const host of ["2606:4700::1", "[2606:4700::1", "[shop.example.com]", "[fe80::1%25eth0]", "a]"])
      assert.deepEqual(issuesOf(`https://${host}/`), [["url", "invalid_string"]], host);
  });

  it("EVENTS_ALLOW_PRIVATE lifts it, for http as well, but for users and other protocols", () => {
    for (const url of ["http://127.0.0.1:9/", "https://localhost/", "http://[::1]/"])
      assert.equal(isEndpointUrl(url, true), true, url);
    for (const url of ["ftp://127.0.0.1/", "http://user@127.0.0.1/"])
      assert.equal(isEndpointUrl(url, true), false, url);
  });
});
