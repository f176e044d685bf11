import {
  COUNTED_TERMINALS,
  FLAG_FORMS,
  LIST_FORMS,
  NUMBER_FORMS,
  NUMBER_TERMINALS,
} from "./field-terminals.js";

/** The alternatives of a rule. */
export const formsOf = (forms: readonly { form: string; name: string }[]): string =>
  forms.map(({ form, name }) => `${form} -- ${name}`).join("\n           | ");

/**
 * The grammar of the conditions on a payment, in Ohm's notation (https://ohmjs.org). It is a memoized parsing
 * expression grammar, so the work is proportional to the length of the sentence. It reads normalized sentences.
 * Lower-case names without a definition here are the lexicon's terminals. If a sentence has two readings ("A and B or
 * C", an exception followed by more conditions), no rule matches it.
 */
export const CONDITION_GRAMMAR = String.raw`
PolicyConditions <: PolicyWords {
  aProvider = "provider:" value
  aCountry = "country:" value
  aCurrency = "currency:" value
  aKind = "customer:" value
  aCardMethod = "method:" cardValue
  aMethod = "method:" value
  aNetwork = "network:" value
  aType = "type:" value
  aLevel = "level:" value
  anOutcome = "outcome:" value
  aHealth = "health:" value
  aMode = "mode:" value
  aDecision = "decision:" value
  aDay = "day:" value
  aTime = "time:" value
  aNumber = "num:" value
  anIdent = "ident:" value

  joiner = and | or
  Sep = comma joiner? -- comma
      | joiner -- joiner
  orSep = or
  Or = comma? orSep
  And = comma? and -- and
      | comma -- comma

  Providers = aProvider (Sep aProvider)*
  Countries = country? aCountry (Sep aCountry)*
  Currencies = aCurrency (Sep aCurrency)*
  Methods = aMethod (Sep aMethod)*
  Networks = aNetwork (Sep aNetwork)*
  Types = aType (Sep aType)*
  Levels = aLevel (Sep aLevel)*
  Outcomes = Outcome (Sep Outcome)*
  Outcome = anOutcome | decline
  States = aHealth (Sep aHealth)*
  Modes = aMode (Sep aMode)*
  Decisions = aDecision (Sep aDecision)*
  Codes = reasoncode? Code (Sep Code)*
  Code = anIdent | aNumber
  BareKind = aKind | new | returning
  BareKinds = BareKind (Sep BareKind)*
  /* "new payments" says nothing of the customer: a list of kinds must end in a noun. */
  Kinds = (KindStart Sep)* aKind (Sep Kinds)?
  KindStart = new | returning

  Cmp = over | atleast | under | atmost
  OrMore = ormore | or over ~(aNumber | aCurrency) -- over
  OrLess = orless | or under ~(aNumber | aCurrency) -- under
  Num = aNumber (thousand | million)?
  Pct = aNumber percent
  NumRange = between Num and Num -- between
           | Cmp Num -- cmp
           | Num OrMore -- ormore
           | Num OrLess -- orless
           | exactly Num -- exactly
           | only Num -- only
  Copula = is of? -- is
         | of -- of
  NumField = ${[...NUMBER_TERMINALS.keys()].join(" | ")} | risk
  NumTest = NumField is not NumRange -- not
          | NumField Copula? NumRange -- range
          | NumField is Num -- is

  Money = Num in? aCurrency -- after
        | aCurrency Num -- before
        | Num ~(bpsword | percent | utc) -- bare
  MoneyRange = (between | from) Money (and | to) Money -- between
             | Cmp Money -- cmp
             | Money OrMore -- ormore
             | Money OrLess -- orless
             | exactly Money -- exactly
  AmountPhrase = of? worth? MoneyRange
  AmountTest = amount is not MoneyRange -- not
             | amount (of payment)? Copula? MoneyRange -- range
             | amount is Money -- is

  Eq = is? not in? -- not
     | is one? of? -- is
     | (in | of | exactly) -- in
  FieldTest = ${formsOf(LIST_FORMS)}
  ListTest = risk Eq Levels -- risk
           | aCardMethod Eq Networks -- card
  LevelTest = Levels risklevel -- risklevel
            | Levels riskband -- riskband
            | Levels deviceriskband -- devicerisk
            | Levels risk device -- device
            | Levels risk band -- band
            | Levels risk -- risk

  Signal = ${formsOf(NUMBER_FORMS)}
  Counted = ${COUNTED_TERMINALS.join(" | ")}
  In = in | during
  VelocityTest = velocityamount1h Copula? MoneyRange
  Duration = Num second -- second
           | Num minute -- minute
           | Num hours -- hours
           | Num days -- days
           | tenminutes -- ten
           | onehour -- hour
  AgeTest = younger Duration -- younger
          | older Duration -- older
          | created Cmp Duration ago -- ago
         | Cmp Duration old -- old
          | orderage Copula? Cmp Duration -- age
  FlagTest = ${formsOf(FLAG_FORMS)}

  On = on | with | at | via | by | from
  PrevTest = after? prevattempt is? Outcomes On Providers -- wason
           | after? prevattempt is? Outcomes (with | for) Codes -- wasfor
           | after? prevattempt On Providers is? Outcomes -- onwas
           | after? prevattempt is? On Providers and is? Outcomes -- onandwas
           | after? prevattempt failed On Providers -- failedon
           | after? prevattempt On Providers failed -- onfailed
           | prevattempt is? On Providers and failed -- onandfailed
           | prevattempt failedwith Providers -- failedwith
           | after? prevattempt is? Outcomes -- was
           | after? prevattempt failed -- failedattempt
           | after prevattempt On Providers -- afteron
           | after prevattempt -- after
           | after Outcomes attempts? On Providers -- outcomeon
           | after Outcomes attempts? -- outcome
           | after Providers Outcomes -- provideroutcome
           | after failed attempts On Providers -- afterfailedon
           | after failed attempts -- afterfailed
           | after Providers failed -- afterproviderfailed
           | after anIdent -- code
           | prevattempt is? On Providers -- wasat
           | prevattempt failedwith Codes -- failed
           | there prevattempt -- there
           | there no prevattempt -- none
           | Providers Outcomes -- timedout
           | Providers failed -- providerfailed
           | Providers is? tried -- tried
           | (payment | it) anOutcome -- subject
  RetryNoun = retries | retry
  Attempted = RetryNoun -- retry
            | firstattempt -- first
            | prevattempt -- previous

  AllProviders = aProvider (And aProvider)*
  AnyProviders = either? aProvider (comma aProvider)* Or aProvider
  Offered = AnyProviders is not? offered -- any
          | AllProviders is not? offered -- all
          | NumRange providerword is offered -- count
  HealthTest = AnyProviders (health | state)? is not? States -- any
             | AllProviders (health | state)? is not? States -- all

  Clock = aTime | aNumber
  HourRange = between Clock and Clock utc -- zonedbetween
            | from? Clock to Clock utc -- zoned
            | between aTime and aTime -- unzonedbetween
            | from? aTime to aTime -- unzoned
  HourTest = HourRange -- range
           | before Clock utc -- before
           | after Clock utc -- after
           | before aTime -- beforeunzoned
           | after aTime -- afterunzoned
  DayRange = from aDay to aDay -- from
           | between aDay and aDay -- between
           | aDay to aDay -- to
  DayPhrase = (DayRange | DayList | weekend | weekday) utc?
  DayList = aDay (Sep aDay)*

  Category = Networks aCardMethod -- networkcard
           | Networks -- network
           | Methods -- method
           | Kinds -- customer
           | Types -- type
           | LevelTest -- level
           | Modes mode? -- mode
           | Decisions (mode | decisionmode)? -- decision
           | Currencies -- currency
           | Countries -- country
  Modifier = non aNetwork aCardMethod -- noncard
           | non Category -- non
           | Category -- plain
  Noun = buyer payment -- both
       | payment -- payment
       | buyer -- buyer
       | it -- it
  Target = SampleOf? everything -- everything
         | SampleOf? all? RetriedPayments -- retries
         | SampleOf? all? FirstAttempts -- first
         | SampleOf? all? of? Modifier* Noun -- noun
         | SampleOf? all? Modifier+ -- modifiers
  RetriedPayments = retries
  FirstAttempts = firstattempt
  SampleOf = Pct sample? of

  prep = in | from | by | for | with | on | of | at | via | during
  Fact = Signal | VelocityTest | AgeTest | NumTest | AmountTest | FieldTest | ListTest | FlagTest | Offered | HealthTest
       | PrevTest | HourTest | DayPhrase
  Pp = prep? all? country except Countries -- exceptcountries
     | prep? all? currency except Currencies -- exceptcurrencies
     | prep? outside HourRange -- outsidehours
     | prep? outside Countries -- outside
     | not prep? Narrowing -- not
     | on Outcomes -- onoutcome
     | &from AmountPhrase -- fromto
     | prep Narrowing -- prep
     | prep Target -- target
     | without prevattempt -- withoutattempt
     | without Counted -- withoutcounted
     | Bare -- bare
  Narrowing = Fact | Attempted | AmountPhrase | Category ~Noun ~Modifier -- category
  Bare = Signal | NumTest | AmountTest | FieldTest | ListTest | AgeTest | PrevTest | HourTest | DayRange | AmountPhrase
  Relative = that is not prep? Narrowing -- isnot
           | that is Pp -- is
           | that is Predicate -- ispredicate
           | that has Signal -- has
           | that &attempted Signal -- attempted
           | that AmountPhrase -- amount
           | whose Test -- whose
  Predicate = Attempted | DayPhrase | BareKinds -- kinds
            | Category -- category

  Subject = buyer | payment | it | aCardMethod
  Test = there Signal -- there
       | (buyer | payment) has Signal -- has
       | (buyer | payment) has no prevattempt -- hasnoattempt
       | (buyer | payment) has prevattempt -- hasattempt
       | Fact -- fact
       | (buyer | payment) Fact -- owned
       | Subject is not prep? Narrowing -- isnotpp
       | Subject is not Predicate -- isnot
       | Subject is Predicate ~Modifier ~Noun -- is
       | Subject Copula? Pp -- pp

  /* After "is not A", a bare "or in B" or "and in B" may be denied too or not. */
  Clause = ClauseOr | PhraseOr | ClauseAnd
  ClauseOr = either? Test (Or if? Test)+ ~(and | except | unless)
  PhraseOr = either? ~not Pp (Or if? ~not Pp)+ ~(and | except | unless)
  ClauseAnd = both? (Test | Pp) ClauseMore* ~or
  ClauseMore = comma? and if? Test -- test
             | comma? and if? Pp -- and
             | ~comma Pp -- pp

  IfPart = if Clause
  ExceptItem = those? prep? Narrowing -- narrowing
             | prep? Target -- target
  ExceptPart = except ExceptItem (Or ExceptItem)* -- except
             | unless Clause -- unless
  More = Relative | Pp
  /* "…, and if the amount is over 500 USD, block" begins what comes next; commands say what that is. */
  Next = ~any any
  IfEnd = IfPart | JoinedIf
  JoinedIf = comma? and? ~Next IfPart
  ExceptEnd = ExceptPart | JoinedExcept
  JoinedExcept = comma? and? ~Next ExceptPart
  TailOr = prep Target PpOr (comma ~Next IfPart)? (comma ~Next ExceptPart)? -- target
         | PpOr (comma ~Next IfPart)? (comma ~Next ExceptPart)? -- plain
  PpOr = ~not Pp (Or ~not Pp)+
  AndMore = And? More
  TailAnd = AndMore* IfEnd? ExceptEnd?
  Tail = TailOr | TailAnd

  Lead = if Clause comma? then? -- if
       | unless Clause comma then? -- unless
       | applyto Target Tail comma -- apply
       | ~not Pp (And? ~not Pp)* comma? then? -- pps
}
`;
