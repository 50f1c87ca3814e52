import { stem } from './stem.ts';

/** Places and brands: a question about one that the knowledge never names is not answered by a sentence about another. */
const list = (text: string) => text.trim().split(/\s+/);

const eu =
  list(`austria belgium bulgaria croatia cyprus czechia denmark estonia finland france germany greece hungary ireland italy
  latvia lithuania luxembourg malta netherlands poland portugal romania slovakia slovenia spain sweden`);
const europe =
  list(`norway switzerland iceland uk britain england scotland wales serbia ukraine albania bosnia montenegro kosovo moldova
  monaco liechtenstein andorra`);
const elsewhere =
  list(`usa america canada mexico brazil argentina chile colombia peru australia china japan korea india pakistan thailand
  vietnam singapore malaysia indonesia philippines taiwan turkey israel egypt morocco tunisia algeria nigeria kenya ghana ethiopia
  russia iran iraq qatar dubai uae arabia kuwait hongkong cuba jamaica hawaii alaska texas california florida`);
const cities =
  list(`paris london berlin madrid rome milan vienna zurich geneva brussels amsterdam rotterdam copenhagen stockholm oslo
  helsinki dublin lisbon porto barcelona munich hamburg frankfurt cologne prague warsaw budapest athens manchester birmingham
  liverpool leeds edinburgh glasgow boston chicago seattle denver dallas houston austin miami atlanta phoenix philadelphia
  portland toronto vancouver montreal sydney melbourne tokyo osaka beijing shanghai delhi mumbai bangkok`);
const brands =
  list(`amazon ebay google apple microsoft samsung sony facebook instagram whatsapp twitter tiktok netflix spotify paypal klarna
  afterpay affirm visa mastercard amex bitcoin crypto ethereum venmo zelle salesforce slack zapier hubspot shopify quickbooks
  github jira teams zoom oracle sap android iphone ikea walmart tesco costco fedex dhl ups usps hermes uber lyft airbnb
  booking.com expedia tesla starbucks hilton marriott`);

export const properNames: ReadonlySet<string> = new Set(
  [...eu, ...europe, ...elsewhere, ...cities, ...brands].map(stem),
);

/** Regions that a place belongs to, as stems a policy may name instead. */
export const regionsOf: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...eu.map(
    (place) =>
      [stem(place), ['eu', 'europ', 'european', 'intern', 'worldwid'].map(stem)] as [string, string[]],
  ),
  ...europe.map(
    (place) => [stem(place), ['europ', 'european', 'intern', 'worldwid'].map(stem)] as [string, string[]],
  ),
  ...elsewhere.map(
    (place) => [stem(place), [stem('international'), stem('worldwide')]] as [string, string[]],
  ),
]);

/** Words of one closed list: alike as vectors, never the same thing. */
export const closedClasses: ReadonlySet<string> = new Set(
  list(`monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december spring summer autumn winter red blue green black white yellow orange purple pink brown gray
  one two three four five six seven eight nine ten eleven twelve first second third hour day week month year minute
  morning afternoon evening night breakfast lunch dinner credit debit cash cheque north south east west left right
  male female man woman husband wife cat dog small medium large basic standard premium express before after
  arrival departure domestic international minimum maximum employee student senior military child adult teacher nurse
  gold silver bronze platinum christmas easter thanksgiving bed chair table sofa english french german spanish italian
  phone email fax chat buy sell rent lease open close increase decrease upgrade downgrade`).map(stem),
);
