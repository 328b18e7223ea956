// The words that decide, inside a title, whether a date means when the task is due: what may lead it, what may stand before
// and behind it, and names that only sound like dates. Data, as vocabulary.ts; the rules are in dates.ts.

/** What a date in a title sets. */
export type DateKind = 'due' | 'start' | 'snooze';

/**
 * Words that lead a date. `takes`: `any` date or time; a `day` ("on"); an `occasion`, the weekend or a holiday ("at"); an
 * `aim`, a single day at the end of what is said ("for"); an `open` beginning, with "on" or "onwards" behind it ("from"); a `part` of a month ("in").
 */
export interface Lead {
  readonly words: readonly string[];
  readonly kind: DateKind;
  readonly takes: 'any' | 'day' | 'occasion' | 'aim' | 'open' | 'part';
}

/** The words of one language around dates in titles, in lower case. */
export interface TitleWords {
  /** By their first word, the longest first. */
  readonly leads: ReadonlyMap<string, readonly Lead[]>;
  /** Behind the day that is led by "from": it begins there. */
  readonly onward: ReadonlySet<string>;
  /** Words behind a date that belong to it: "at the latest". */
  readonly closers: readonly (readonly string[])[];
  /** What is open on days says nothing of a task. */
  readonly hours: ReadonlySet<string>;
  /** Nouns at the beginning of a title, leads elsewhere: "start". */
  readonly nounLeads: ReadonlySet<string>;
  /** Verbs that tell of a thing when it begins. */
  readonly begins: ReadonlySet<string>;
  /** Leads of a snooze that are said of nothing else. */
  readonly snoozes: ReadonlySet<string>;
  /** Leads that lead nothing when no lead was found there: what follows belongs to them. */
  readonly strictLeads: ReadonlySet<string>;
  /** Words and signs between several things. */
  readonly joins: ReadonlySet<string>;
  /** Words between things that are compared. */
  readonly compares: ReadonlySet<string>;
  /** What a distance counts from stands behind them: "in 24h before the flight". */
  readonly counts: ReadonlySet<string>;
  /** What was done "in march" is over; so is what was done by a verb on -ed. */
  readonly done: ReadonlySet<string>;
  /** Before a number, they make it the measure or the price of a thing. */
  readonly measures: ReadonlySet<string>;
  /** Adverbs of a verb, behind which a length is the task's: "tidy up 20 min". */
  readonly particles: ReadonlySet<string>;
  /** Words that go on with the sentence: what stands before them is no attribute of them. */
  readonly joints: ReadonlySet<string>;
  /** A date right behind one belongs to a thing. */
  readonly determiners: ReadonlySet<string>;
  /** A date right behind one is what is talked about. */
  readonly relations: ReadonlySet<string>;
  /** Behind one a number names a thing: "room 12". */
  readonly numberedThings: ReadonlySet<string>;
  /** Those of them that are rather due on a day than numbered by two numbers. */
  readonly papers: ReadonlySet<string>;
  /** What they are about is to be done on a day: "pay rent 1st". */
  readonly settlingVerbs: ReadonlySet<string>;
  /** What people do in the evening. */
  readonly eveningThings: ReadonlySet<string>;
  /** What a day is arranged around: "mon after work". */
  readonly dailyThings: ReadonlySet<string>;
  /** What lasts until a day is not snoozed. */
  readonly lasting: ReadonlySet<string>;
  /** Their length is their own: "bake 40 min". */
  readonly lastingVerbs: ReadonlySet<string>;
  /** Verbs that tell somebody to do something, and are hardly ever nouns. */
  readonly verbs: ReadonlySet<string>;
  /** The same, but they are nouns too: they count with an object behind them. */
  readonly nounVerbs: ReadonlySet<string>;
  /** Names that hold a date and are none, by their first word. */
  readonly names: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** What happened on a day, and is over. */
  readonly happened: ReadonlySet<string>;
  /** Before a rhythm: so often within it ("twice daily"). */
  readonly howOften: ReadonlySet<string>;
  /** Words that a question begins with; with a question mark at its end it asks about days. */
  readonly questions: ReadonlySet<string>;
  /** Verbs that say something of a day, or of a thing on it. */
  readonly statements: ReadonlySet<string>;
  /** Behind a unit of time, "starts" is no beginning of the task: "the week starts on Monday". */
  readonly calendarThings: ReadonlySet<string>;
}

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

function byFirst<T extends { readonly words: readonly string[] }>(
  all: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const map = new Map<string, T[]>();
  for (const each of all) {
    const [first = ''] = each.words;
    map.set(
      first,
      [...(map.get(first) ?? []), each].toSorted((a, b) => b.words.length - a.words.length),
    );
  }
  return map;
}

const leads = (kind: DateKind, takes: Lead['takes'], ...phrases: readonly string[]): readonly Lead[] =>
  phrases.map((phrase) => ({ words: phrase.split(' '), kind, takes }));

const names = (...phrases: readonly string[]): ReadonlyMap<string, readonly (readonly string[])[]> =>
  new Map(
    [...byFirst(phrases.map((phrase) => ({ words: phrase.split(' ') })))].map(
      ([first, all]) => [first, all.map(({ words }) => words)] as const,
    ),
  );

/** The English words around dates. */
export const englishTitle: TitleWords = {
  leads: byFirst([
    ...leads(
      'due',
      'any',
      'by',
      'due',
      'before',
      'due before',
      'no later than',
      'not later than',
      'by latest',
      'deadline',
      'deadline is',
    ),
    ...leads('due', 'day', 'on'),
    ...leads('due', 'occasion', 'at', 'over', 'at the', 'over the', 'on the', 'by the', 'before the'),
    ...leads('due', 'aim', 'for'),
    ...leads('due', 'part', 'in', 'in the'),
    ...leads(
      'start',
      'any',
      'starting',
      'starting from',
      'starts',
      'start',
      'beginning',
      'begins',
      'as of',
      'as from',
    ),
    ...leads('start', 'any', 'not before'),
    ...leads('start', 'open', 'from'),
    ...leads('snooze', 'any', 'until', 'till', 'til', 'not until', 'snooze', 'snooze until', 'snooze till'),
    ...leads('snooze', 'any', 'snooze til', 'snooze to', 'snoozed until', 'hide until', 'sleep until'),
  ]),
  onward: set('on onward onwards'),
  closers: [['at', 'the', 'latest'], ['at', 'latest'], ['latest'], ['sharp']],
  hours: set('open opens closed closes'),
  nounLeads: set('start beginning'),
  begins: set('starts begins'),
  snoozes: set('snooze snoozed hide sleep'),
  strictLeads: set('by before until till til snooze'),
  joins: set(', & + / and or'),
  compares: set('vs versus or'),
  counts: set('before after'),
  done: set('born built made bought sent sold'),
  measures: set('in at no § $ € £ = x * : #'),
  particles: set('up out down off over on back through around round again in'),
  joints: set(`
    about above across after against along although among and around as at because before behind below beside between
    but by down during for from how if in inside into like near of off on once onto or out outside over past per re
    since till til so than that then though through to toward towards under unless until up upon via w what when where whether
    which while who whom whose why with within without
    the a an this that these those my your our his her their its some any all both each every another
    i you he she it we they me him us them myself yourself
    not no is are was were will would can could should must may might has have had do does did isn't aren't can't won't
    please pls plz thx again already too also instead only just together alone otherwise sharp latest first max asap either maybe`),
  determiners: set(
    'the a an my your our his her their its this that these those every each any some no one another',
  ),
  relations: set(`
    from of since dated born about as into like than to via after between during per without against versus vs with
    called named titled entitled past around for mr mrs ms miss dr prof sir is was are were whose what which
    which's that's it's if than or nor`),
  numberedThings: set(`
    room rooms page pages pg p chapter chapters ch section sections clause clauses plot version versions v no nr number
    numbers act scene verse part parts figure fig table size sizes bus tram line route gate platform flight exit lot
    level grade class row seat block unit units house flat apartment apt floor step item items issue issues ticket
    order invoice form box bar bars exercise exercises question questions lesson episode season volume vol psalm luke
    mark john matthew genesis ratio scale score won lost model article paragraph para line lines appendix item code
    plus minus times euro euros dollar dollars pound pounds pay certificate`),
  eveningThings: set('dinner supper drinks movie movies cinema concert theater theatre opera party gig'),
  settlingVerbs: set('pay renew return submit cancel pick collect fetch mail file'),
  dailyThings: set(
    'work school class lunch dinner breakfast supper practice training church daycare bed bedtime',
  ),
  papers: set('form order invoice certificate'),
  lasting:
    set(`open closed valid good available away out off sick booked reserved holiday leave rented free busy fresh
    warranty guarantee lease insurance contract visa pass ticket membership offer sale deal parking permit runs lasts`),
  lastingVerbs: set('bake cook boil simmer roast fry steam soak rest chill marinate microwave grill prove'),
  verbs: set(`
    accept add adjust adopt advertise agree analyse analyze announce apply approve archive arrange ask assemble assess
    assign attach attend avoid babysit bake become begin bleed borrow bottle bring build buy calculate calibrate cancel
    carry celebrate choose chop clean clear climb collect come compare compile complain complete confirm connect contact
    continue cook copy correct count create cut debug decide declutter decorate defrost delete deliver descale describe
    design dig discuss dismantle dispute do donate download draw drive drop dust eat edit email empty enjoy enquire
    enrol enroll enter erase evaluate examine exchange explain explore export extend fasten feed fertilize fetch fill
    finalize find finish fit fix flush fold follow forget fry gather get give go grate greet grind grow hand hang harvest
    have hear help hem hire hoover identify ignore implement import improve inform inquire insert inspect install
    introduce investigate invite iron join keep kick knit lay lead learn leave lend let listen load lock look lubricate
    maintain make measure meditate meet memorize mend merge migrate mow negotiate notify obtain oil open organise organize
    pack paint pay peel photograph pick plant polish post postpone pour practise prepare preorder prepay prick print
    proofread prune publish pull purchase put read rearrange rebook rebuild receive recharge record recycle refactor
    refill register reinstall remember remind remove rename renew reorder repair repay replace reply repot reschedule
    research reserve resign resolve restart restock return revise rewrite ring rinse rotate scan schedule scrub see sell
    send separate serve set settle sew sharpen shovel sign simplify sit skip solve sort sow speak spend split squeeze
    start stay stop store strip study submit subscribe sweep swap take talk teach tell thank throw tidy tie transfer
    translate trim try tune turn type uninstall unpack unsubscribe untangle update upgrade upload use vacuum verify
    visit vote wait wake warn wash watch weed weigh wind wipe withdraw worm wrap write`),
  nounVerbs: set(`
    answer back balance bath bill book break brush bus call camp catch change charge chase check cheer circle close coach
    comb cover cycle dance date deal deposit draft dress drill drink dry escort exercise face file fish flag frame grade
    guard guide harvest head hike host house hunt interview invoice jog jump label leave lift light link lift list lunch
    mail mark mop note nurse offer order outline park phone pitch place plan play point power practice present press
    process project pump quiz race raise rake rate register rent report request research rest review ride roast roll run
    sail sand save score screen seal search shape share shave shift ship shop show sketch ski skype sleep smoke spray
    stack stain stamp staple step stitch stretch stock study style supply surf swim switch tag tape taste test text
    touch tour toast track trade train transport treat trip vet view walk water welcome work zip`),
  names: names(
    'friday the 13th',
    'cyber monday',
    'ash wednesday',
    'palm sunday',
    'super tuesday',
    'giving tuesday',
    'shrove tuesday',
    'bloody sunday',
    'blue monday',
    'bank holiday monday',
    'maundy thursday',
    'today show',
    'tonight show',
    '24 / 7',
    '9 / 11',
    '7 - 11',
    '24 / 7 / 365',
  ),
  happened: set('born dated died founded married wed buried baptized released signed'),
  questions: set('is are was were what who when where which why how does did has have'),
  statements: set(`is was are were will would has had isn't wasn't aren't might may must should`),
  howOften: set('once twice thrice x times time'),
  calendarThings: set('week weeks weekend month months year years day days calendar'),
};
