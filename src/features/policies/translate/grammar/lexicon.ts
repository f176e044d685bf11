import { CONDITION_FIELDS } from "../../../../domain/policy/condition-fields.js";
import { CONDITION_FIELD_NAMES } from "../../../../domain/policy/condition-vocabulary.js";
import { fieldTerminal } from "./field-terminals.js";

/**
 * The words that the grammar knows, as lines of `canonical: spelling | spelling`. Spellings are in lower case,
 * without articles and with spaces for hyphens and underscores. A canonical form with a colon is an entity,
 * `kind:value`. Any other is a terminal of the grammar. A word must be listed here, or be a name, a code or a number.
 * An unknown word is never skipped.
 */
const WORDS = `
block: block | reject | refuse | deny | do not allow | do not accept | never allow | never accept | stop
decline: decline
hold: hold | review | put on hold | hold back
review: manual review | review queue
onhold: on hold
blocked: blocked | rejected | refused | denied | stopped
held: held | held back | reviewed
steppedup: stepped up | challenged
stepup: step up | challenge | authenticate
require: require | requires | need | needs | ask for | demand | enforce step up | trigger | request | enforce | force | apply
authentication: 3ds | 3d secure | 3 d secure | sca | strong customer authentication | authentication | strong authentication | step up authentication | extra verification | additional verification | additional authentication | verification | 2fa | mfa | otp | two factor authentication
withauthentication: with 3ds | using 3ds | via 3ds | with 3d secure | using 3d secure | via 3d secure | with sca | using sca | with strong customer authentication
applyto: apply to | apply rule to | apply this to | apply this rule to
prefer: prefer | favor | favour | prioritize | prioritise | give preference to | give priority to
preferred: preferred
slightly: slightly | softly | mildly
strictly: strictly | strongly
boost: boost
use: use | always use | pick | choose | select
send: send | route | direct | always send | always route | process
avoid: avoid | do not use | never use | stop using | skip | disable
exclude: exclude | remove
donotsend: do not send | do not route | never send | never route | stop sending | stop routing | do not process | never process
onlyuse: only use | use only | only allow | allow only
restrict: restrict | confine
limit: limit
noretry: do not retry | never retry | no retry | no retries | stop retrying | suppress retries | suppress retry
retry: retry | retry again | allow retries | allow retry
withinschemerules: within scheme rules | within schemes rules | within card scheme rules | within card schemes rules | within network rules | within card network rules | as scheme rules allow | if scheme rules allow
retries: retries | retry attempts | retried payments | repeat attempts
firstattempt: first attempt | first attempts | initial attempts
otherprovider: another provider | different provider | other provider | alternative provider | another one | elsewhere
sameprovider: same provider | same one
cap: cap | keep
donotpay: do not pay | never pay
pay: pay
cost: cost | costs | fee | fees | processing cost | processing costs | processing fee | processing fees | effective cost | costing
optimize: optimize | optimise
minimize: minimize | minimise | lowest
maximize: maximize | maximise | highest
balance: balance
approval: approval | approvals | approval rate | approval rates
approvaldrop: approval drop | approval rate drop | drop in approval | drop in approval rate | drop in approvals
balanced: balanced | balance between cost and approval | balance of cost and approval | balance of approval and cost
margin: margin | margins | profit margin
cheapest: cheapest provider | cheapest route | least expensive provider | lowest cost provider | lowest cost route
allowing: allowing
split: split | divide | distribute
evenly: evenly | equally
rest: rest | remainder | remaining payments | remaining traffic | everything else
default: default | default provider
maximum: maximum | max
minimum: minimum | min
all: all | every | each | any
everything: everything | all traffic | anything
payment: payment | payments | transaction | transactions | order | orders | purchase | purchases | traffic | charge | charges | cart | carts | decision | decisions
attempts: attempt | attempts | attempts were made | attempts are made | attempts have been made | payment attempts | tries
buyer: customer | customers | buyer | buyers | user | users | shopper | shoppers
it: it | them
its: its
providerword: provider | providers
if: if | when | where | while | whenever | as long as | provided that | in case
then: then
followed: followed by
that: that | which | who
whose: whose
is: is | are | was | were | be | should be | must be
those: those | ones
has: has | have | had | made | makes | has made | have made
there: there is | there are | there was | there were | there have been | there has been
not: not
non: non
no: no
unless: unless | except when | except if | except where
except: except | except for | excluding | apart from | other than | but not | with exception of
without: without
outside: outside | outside of
only: only
either: either
both: both
and: and | as well as | &
or: or
one: one
comma: ,
slash: /
to: to | through | until
in: in | within | inside | per
from: from | coming from | originating from
by: by | made by | placed by | paid by
for: for
with: with | having | made with | paid with
on: on | made on
of: of
at: at | processed at
via: via | using
during: during
before: before
after: after | following
between: between
over: over | above | more than | greater than | higher than | larger than | bigger than | in excess of | exceeding | exceeds | exceed | >
atleast: at least | no less than | not less than | no fewer than | minimum of | >= | reaches | greater than or equal to | more than or equal to | higher than or equal to
under: under | below | less than | lower than | fewer than | smaller than | <
atmost: at most | up to | no more than | not more than | maximum of | not exceeding | does not exceed | do not exceed | must not exceed | should not exceed | may not exceed | no higher than | no greater than | <= | less than or equal to | lower than or equal to
ormore: or more | or higher | or greater
orless: or less | or lower | or fewer
exactly: exactly | equal to | equals | =
worth: worth | paying | spending | totalling | totaling
band: band
risk: risk
device: device | devices
attempted: attempted | was attempted | were attempted
orderage: order age | cart age | age
younger: younger than | newer than
older: older than
created: created | placed
ago: ago
tenminutes: 10 minutes | ten minutes | 10 min | 10m | last 10 minutes | past 10 minutes | last ten minutes | past ten minutes | last 10m
onehour: 1 hour | one hour | hour | 1h | last hour | past hour | last 1 hour | 60 minutes | last 60 minutes | past 60 minutes
second: second | seconds | sec | secs
minute: minute | minutes | min
hours: hours
days: day | days
ipcountry: ip country | ip address country | ip | ip geolocation
matches: match | matches | matches with
mismatch: does not match | do not match | did not match | mismatch | mismatches | differs from | differs | is different from | is different
true: true
false: false
prevattempt: previous attempt | prior attempt | last attempt | earlier attempt | previous try | previous payment attempt
beginswith: begins with | begin with | beginning with | starts with | start with | starting with
reasoncode: reason code | reason codes | reason | reasons | code | codes | provider reason code | provider reason codes | decline code | decline codes | decline reason | response code | response codes
failedwith: failed with
failed: failed | was unsuccessful | did not succeed | has failed | had failed
tried: already tried | was tried | were tried | was already tried | has been tried | has already been tried
but: but
otherwise: otherwise | or else | else
also: also | additionally | in addition
offered: offered
health: health | health score | provider health | provider health score
state: state | health state
percent: percent | %
bpsword: basis points | basis point | bps | bp
thousand: thousand | k
million: million | m | mn
utc: utc | gmt
weekend: weekend | weekends
weekday: weekday | weekdays | working days | workday | workdays
points: point | points
give: give
add: add
tag: and add reason code | and give reason code | and report reason code | and use reason code | adding reason code | and tag it
perpayment: per payment | per transaction | per order
flag: flag | queue | mark
shouldgo: should go | must go | goes | go
remaining: remaining
old: old
sample: sample
put: put
make: make
set: set
bydefault: by default
among: among | across
as: as
new: new
returning: returning
customer:guest: guest | guests | guest customer | guest customers | guest checkout | guest checkouts | guest user | guest users | guest buyers
customer:new: new customer | new customers | first time customer | first time customers | new buyer | new buyers | new user | new users | first time buyer | first time buyers
customer:returning: returning customer | returning customers | repeat customer | repeat customers | existing customer | existing customers | returning buyers | returning users
method:card: card | cards
method:wallet: wallet | wallets | digital wallet | digital wallets
method:bank_transfer: bank transfer | bank transfers
method:mobile_money: mobile money
network:visa: visa
network:mastercard: mastercard | master card
network:amex: amex | american express
network:discover: discover
network:verve: verve
network:other: other network | other networks | other card network | other card networks
type:authorization: authorization | authorizations | authorisation | authorisations
type:sale: sale | sales
type:capture: capture | captures
level:low: low
level:medium: medium
level:high: high
level:extreme: extreme
outcome:timeout: timeout | timeouts | timed out | times out | time out | timing out
outcome:declined: declined
outcome:error: error | errors | errored
health:healthy: healthy
health:watch: watch
health:degraded: degraded
health:critical: critical
health:unavailable: unavailable | down
health:unknown: unknown
mode:test: test
mode:live: live
decision:shadow: shadow
decision:enforce: enforce
time:12am: midnight
time:12pm: noon | midday
day:1: monday | mondays
day:2: tuesday | tuesdays
day:3: wednesday | wednesdays
day:4: thursday | thursdays
day:5: friday | fridays
day:6: saturday | saturdays
day:7: sunday | sundays
currency:EUR: € | euro | euros
currency:NGN: ₦ | naira
currency:INR: ₹
currency:JPY: yen
currency:CNY: yuan | renminbi
currency:USD: us$
currency:CAD: ca$ | c$ | can$
currency:AUD: a$ | au$
currency:NZD: nz$
currency:HKD: hk$
currency:SGD: s$ | sg$
currency:MXN: mx$
currency:TWD: nt$
currency:BRL: r$ | reais | brazilian reais
currency:GBP: pounds sterling | pound sterling | sterling
currency:KES: ksh | kshs
currency:GHS: ₵ | cedi | cedis
currency:KRW: ₩
currency:PHP: ₱
currency:VND: ₫
currency:TRY: ₺
currency:UAH: ₴
currency:ILS: ₪ | shekel | shekels
currency:THB: ฿ | baht
currency:PLN: zloty | zlotys | zł
currency:ZAR: rand | rands
shared:dollar: $ | dollar | dollars
shared:pound: £ | pound | pounds
shared:yen: ¥
manycurrencies: shilling | shillings | franc | francs | peso | pesos | rupee | rupees
`;

/** The everyday English names of the fields in conditions. */
const FIELD_LINES = CONDITION_FIELD_NAMES.flatMap((field) => {
  const { english } = CONDITION_FIELDS[field];
  return english === null ? [] : [`${fieldTerminal(field)}: ${english}`];
});

const ENTITY_LINE =
  /^((?:customer|method|network|type|level|outcome|health|mode|decision|day|time|currency|shared):\w+): (.*)$/;

/** Maps each spelling to its canonical form. */
export const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [...WORDS.trim().split("\n"), ...FIELD_LINES].flatMap((line) => {
    const entity = ENTITY_LINE.exec(line);
    const [canonical, spellings] =
      entity === null
        ? [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]
        : [entity[1] as string, entity[2] as string];
    return spellings.split(" | ").map((spelling): [string, string] => [spelling, canonical]);
  }),
);

export const TERMINALS: readonly string[] = [...new Set(SPELLINGS.values())].filter(
  (word) => !word.includes(":"),
);

/** Articles and courtesy words. They carry no meaning anywhere in a rule. */
export const SILENT_WORDS: ReadonlySet<string> = new Set(["the", "a", "an", "please", "we"]);

export const SPELLING_WORDS_MAX = 6;
