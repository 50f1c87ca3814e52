import { describe, expect, it } from 'vitest';
import { spokenForm } from './spoken-form.ts';

/** Written form | spoken form. */
const table = (cases: string): [string, string][] =>
  cases
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [written = '', said = ''] = line.split(' ⇒ ');
      return [written.trim().replaceAll('⏎', '\n'), said.trim()];
    });

function says(cases: string): void {
  it.each(table(cases))('%s ⇒ %s', (written, said) => {
    expect(spokenForm(written)).toBe(said);
  });
}

describe('numbers', () => {
  says(`
    We have 3 stores. ⇒ We have three stores.
    I need 1,204 of them. ⇒ I need one thousand two hundred four of them.
    There are 0 left. ⇒ There are zero left.
    12345 items ⇒ twelve thousand three hundred forty-five items.
    over 1000000 people ⇒ over one million people.
    3.14 and .5 and 0.05 ⇒ three point one four and point five and zero point zero five.
    the 1st, 2nd, 3rd, 12th, 20th and 21st ⇒ the first, second, third, twelfth, twentieth and twenty-first.
    It takes 5–7 business days. ⇒ It takes five to seven business days.
    in 2-3 days ⇒ in two to three days.
    10+ years ⇒ ten plus years.
    about ~20, <5 and >=3 ⇒ about about twenty, less than five and at least three.
    a 30-day trial and a 12-month plan ⇒ a thirty-day trial and a twelve-month plan.
    3-in-1 and 10-year-old ⇒ three-in-one and ten-year-old.
    1/2 price, 2 1/2 cups, 3/4 full, 1/3 ⇒ half price, two and a half cups, three quarters full, one third.
    ½ price and 3½ hours ⇒ half price and three and a half hours.
    5/5 stars or 4.5/5 ⇒ five out of five stars or four point five out of five.
    50/50 ⇒ fifty-fifty.
    16:9 ⇒ sixteen to nine.
    15% off, or 2.5 % ⇒ fifteen percent off, or two point five percent.
    5–10% and 100 % ⇒ five to ten percent and one hundred percent.
    agent 007 ⇒ agent zero zero seven.
    2x faster ⇒ two times faster.
    steps 1-2-3 ⇒ steps one, two, three.
    -5 points ⇒ minus five points.
    １２ items ⇒ twelve items.
    1,5 liters ⇒ one point five liters.
  `);
});

describe('money', () => {
  says(`
    That is $12.50. ⇒ That is twelve dollars and fifty cents.
    $1 ⇒ one dollar.
    $1.01 ⇒ one dollar and one cent.
    $0.99 ⇒ ninety-nine cents.
    $5.00 even ⇒ five dollars even.
    €1,200 ⇒ one thousand two hundred euros.
    £3m in sales ⇒ three million pounds in sales.
    £3.50 and 1p ⇒ three pounds and fifty pence and one penny.
    $1.2 million ⇒ one point two million dollars.
    $2k ⇒ two thousand dollars.
    $5–$10 ⇒ five to ten dollars.
    $5-10 per item ⇒ five to ten dollars per item.
    $5.50–$7.25 ⇒ five dollars and fifty cents to seven dollars and twenty-five cents.
    €5m–€10m ⇒ five million to ten million euros.
    a $50 voucher ⇒ a fifty dollar voucher.
    $9.99/month and $5/kg ⇒ nine dollars and ninety-nine cents per month and five dollars per kilogram.
    -$5.00 ⇒ minus five dollars.
    US$20 ⇒ twenty U S dollars.
    20 EUR or 3€ ⇒ twenty euros or three euros.
    12,50 € ⇒ twelve euros and fifty cents.
    $1,234,567.89! ⇒ one million two hundred thirty-four thousand five hundred sixty-seven dollars and eighty-nine cents!
    ¥500 ⇒ five hundred yen.
    25¢ ⇒ twenty-five cents.
  `);
});

describe('times', () => {
  says(`
    at 9:30 am ⇒ at nine thirty AM.
    at 9:05 PM ⇒ at nine oh five PM.
    We open at 9 a.m. We close at 5 p.m. ⇒ We open at nine AM. We close at five PM.
    9 a.m. on Sunday ⇒ nine AM on Sunday.
    Is it 5pm? Yes! ⇒ Is it five PM? Yes!
    14:00 ⇒ two PM.
    14:30 and 00:15 ⇒ two thirty PM and twelve fifteen AM.
    9:00 or 12:00 ⇒ nine o'clock or twelve o'clock.
    0:00 ⇒ midnight.
    9am–5pm ⇒ nine AM to five PM.
    We open 9:00–17:00. ⇒ We open nine AM to five PM.
    10:30-11:15am ⇒ ten thirty to eleven fifteen AM.
    9–5 ⇒ nine to five.
    We are here 24/7. ⇒ We are here twenty-four seven.
    10am EST or 7 AM PT ⇒ ten AM Eastern time or seven AM Pacific time.
  `);
});

describe('dates', () => {
  says(`
    2026-11-20 ⇒ November twentieth, twenty twenty-six.
    2026-11-20T14:00:00Z ⇒ November twentieth, twenty twenty-six at two PM.
    Nov 3 ⇒ November third.
    Nov. 3, 2026 ⇒ November third, twenty twenty-six.
    November 3rd ⇒ November third.
    3 November 2026 ⇒ the third of November, twenty twenty-six.
    the 20th of May ⇒ the twentieth of May.
    3/4/2026 ⇒ March fourth, twenty twenty-six.
    13/4/2026 ⇒ April thirteenth, twenty twenty-six.
    3/13/26 ⇒ March thirteenth, twenty twenty-six.
    20.11.2026 ⇒ November twentieth, twenty twenty-six.
    by 12/25 ⇒ by December twenty-fifth.
    Nov 3–5 ⇒ November third to fifth.
    Nov 30 – Dec 2 ⇒ November thirtieth to December second.
    since 1999 and 2007 ⇒ since nineteen ninety-nine and two thousand seven.
    the 2026 catalog ⇒ the twenty twenty-six catalog.
    2025–2026 ⇒ twenty twenty-five to twenty twenty-six.
    2024 units ⇒ two thousand twenty-four units.
    the 1990s and the '80s ⇒ the nineteen nineties and the eighties.
    Q3 2026 ⇒ the third quarter of twenty twenty-six.
    You may 3 times. ⇒ You may three times.
    Mon–Fri 9–5 ⇒ Monday to Friday nine to five.
    Mon-Fri, 9am-5pm ⇒ Monday to Friday, nine AM to five PM.
    Sat & Sun closed ⇒ Saturday and Sunday closed.
    Sun 10am-4pm ⇒ Sunday ten AM to four PM.
    Mon: closed ⇒ Monday, closed.
    I sat in the sun. ⇒ I sat in the sun.
  `);
});

describe('phone numbers and addresses', () => {
  says(`
    Call 1-800-555-0199. ⇒ Call one, eight hundred, five five five, zero one nine nine.
    +1 (555) 010-1234 ⇒ plus one, five five five, zero one zero, one two three four.
    (555) 123-4567 ext. 12 ⇒ five five five, one two three, four five six seven extension one two.
    555-123-4567 x12 ⇒ five five five, one two three, four five six seven, extension one two.
    555-0123 ⇒ five five five, zero one two three.
    +44 20 7946 0958 ⇒ plus four four, two zero, seven nine four six, zero nine five eight.
    020 7946 0958 ⇒ zero two zero, seven nine four six, zero nine five eight.
    01 98 76 54 32 ⇒ zero one, nine eight, seven six, five four, three two.
    (02) 5550 1234 ⇒ zero two, five five five zero, one two three four.
    070-123 45 67 ⇒ zero seven zero, one two three, four five, six seven.
    help@sigma-care.com ⇒ help at sigma dash care dot com.
    Write to john.doe_42@mail.co.uk. ⇒ Write to john dot doe underscore four two at mail dot co dot U K.
    https://www.sigma-care.com/returns?x=1#top. ⇒ sigma dash care dot com slash returns.
    Visit sigma-care.com/help, please. ⇒ Visit sigma dash care dot com slash help, please.
    Chat at brightwater.example/chat now ⇒ Chat at brightwater dot example slash chat now.
    Look at sigma.example/track. Then call. ⇒ Look at sigma dot example slash track. Then call.
    call 911 at once ⇒ call nine one one at once.
    1450 Orchard Way and 210 Harbor Street ⇒ fourteen fifty Orchard Way and two ten Harbor Street.
    www.dhl.com ⇒ D H L dot com.
    192.168.0.1 ⇒ one nine two dot one six eight dot zero dot one.
  `);
});

describe('codes', () => {
  says(`
    SG-10482 ⇒ S G, one zero four, eight two.
    Your order SG 10482 is late. ⇒ Your order S G, one zero four, eight two is late.
    AB12CD ⇒ A B, one two, C D.
    QX7-88B ⇒ Q X, seven, eight eight, B.
    tracking 1Z999AA10123456784 ⇒ tracking one, Z, nine nine nine, A A, one zero one, two three four five, six seven eight four.
    order #10482 and ticket #42 ⇒ order number one zero four, eight two and ticket number forty-two.
    No. 5 and #1 ⇒ number five and number one.
    Your code is 482913. ⇒ Your code is four eight two, nine one three.
    PIN: 0042 ⇒ Pin, zero zero four two.
    SAVE20 ⇒ Save twenty.
    the card ending in 4242 ⇒ the card ending in four two four two.
    **** 4242 ⇒ ending in four two four two.
    4111 1111 1111 1111 ⇒ four one one one, one one one one, one one one one, one one one one.
    B2B, MP3, A4 and 5G ⇒ B two B, M P three, A four and five G.
    USB-C ⇒ U S B C.
    COVID-19 ⇒ Covid nineteen.
    v2.3.1 ⇒ version two point three point one.
    iPhone 15 and iPhone15 ⇒ iPhone fifteen and iPhone fifteen.
    room 1204 ⇒ room one two zero four.
  `);
});

describe('units', () => {
  says(`
    5 kg, 1 kg and 10 km ⇒ five kilograms, one kilogram and ten kilometers.
    2 lb or 2lbs ⇒ two pounds or two pounds.
    a 5 kg parcel ⇒ a five kilogram parcel.
    5'10" ⇒ five foot ten.
    a 27" screen ⇒ a twenty-seven inch screen.
    6' long ⇒ six feet long.
    He said "order 27" to me. ⇒ He said order twenty-seven to me.
    10×20×30 cm ⇒ ten by twenty by thirty centimeters.
    72°F or -5 °C ⇒ seventy-two degrees Fahrenheit or minus five degrees Celsius.
    -10°C to 5°C ⇒ minus ten to five degrees Celsius.
    16 GB at 100 Mbps ⇒ sixteen gigabytes at one hundred megabits per second.
    60 mph ⇒ sixty miles per hour.
    wait 5 min. or 2 hrs ⇒ wait five minutes or two hours.
    5 in stock ⇒ five in stock.
    20 m² ⇒ twenty square meters.
    size 10.5 ⇒ size ten point five.
    size XL or size M ⇒ size extra large or size medium.
  `);
});

describe('abbreviations and capitals', () => {
  says(`
    Mr. Smith and Dr. Jones vs. Mrs. Lee ⇒ Mister Smith and Doctor Jones versus Missus Lee.
    e.g. shoes, i.e. footwear ⇒ for example, shoes, that is, footwear.
    Shoes, hats, etc. are returnable. ⇒ Shoes, hats, et cetera are returnable.
    Shoes, etc. ⇒ Shoes, et cetera.
    approx. 5 kg ⇒ approximately five kilograms.
    5 Elm St. in St. Paul ⇒ five Elm Street in Saint Paul.
    Acme Inc. is here. ⇒ Acme Incorporated is here.
    with photos & w/o receipt ⇒ with photos and without receipt.
    Reply ASAP. ⇒ Reply as soon as possible.
    Q&A, AT&T and T&Cs ⇒ Q and A, A T and T and terms and conditions.
    the FAQ, two FAQs, USB and VAT ⇒ the F A Q, two F A Qs, U S B and V A T.
    NASA and your PIN ⇒ Nasa and your Pin.
    It is FREE and NOT taxed. ⇒ It is free and not taxed.
    YOUR ORDER IS ON THE WAY WITH DHL ⇒ your order is on the way with D H L.
    The U.S. is big. ⇒ The U S is big.
    Ask the IT team, not it. ⇒ Ask the I T team, not it.
    OK, your ID please. ⇒ okay, your I D please.
    CANCELLED and REFUNDED ⇒ cancelled and refunded.
  `);
});

describe('what is written for the eye', () => {
  says(`
    **bold**, *slanted* and \`code\` ⇒ bold, slanted and code.
    See [our returns page](https://x.com/a). ⇒ See our returns page.
    # Returns⏎- within 30 days⏎- with receipt ⇒ Returns. within thirty days. with receipt.
    Hello Anna,⏎your order is ready ⇒ Hello Anna, your order is ready.
    Great! 😀👍🏽 Thanks :) ⇒ Great! Thanks.
    <b>Hi</b> &amp; bye ⇒ Hi and bye.
    | Item | Price | ⇒ Item, Price.
    Well... maybe… OK ⇒ Well, maybe, okay.
    Wow!!! Really?! No... ⇒ Wow! Really? No.
    “Hi,” she said. ‘Bye.’ ⇒ Hi, she said. Bye.
    don’t and O'Brien ⇒ don't and O'Brien.
    This (only in the EU) works — really. ⇒ This, only in the E U, works, really.
    yes/no and he/she ⇒ yes or no and he or she.
    café and naïve ⇒ café and naïve.
    Hello 你好 and привет friend ⇒ Hello and friend.
    wait→done ⇒ wait, done.
    ab\u200bc \u202eabc ⇒ abc abc.
  `);
});

describe('what real documents hold', () => {
  describe('prices', () => {
    says(`
      It costs £560 incl. VAT, £480 exc. VAT. ⇒ It costs five hundred sixty pounds including V A T, four hundred eighty pounds excluding V A T.
      £48/hr + VAT ⇒ forty-eight pounds per hour plus V A T.
      45p/kWh or 28.5p per kWh ⇒ forty-five pence per kilowatt hour or twenty-eight point five pence per kilowatt hour.
      £1.10/mile, £90 per m², £3/100g ⇒ one pound and ten pence per mile, ninety pounds per square meter, three pounds per one hundred grams.
      £12pp, £9 p.w. and £1,200 pcm ⇒ twelve pounds per person, nine pounds per week and one thousand two hundred pounds per calendar month.
      3 x £20, £7½ and £20¹ ⇒ three times twenty pounds, seven pounds and fifty pence and twenty pounds.
      Sundays +£25 or +15% ⇒ Sundays plus twenty-five pounds or plus fifteen percent.
      Price in £ ⇒ Price in pounds.
      between ~£50 and ~ 3 weeks of rent ⇒ between about fifty pounds and about three weeks of rent.
      the fee is £500 p.m. ⇒ the fee is five hundred pounds p. m.
    `);
  });

  describe('opening hours', () => {
    says(`
      Tue 8.30–7.00 ⇒ Tuesday eight thirty to seven.
      Mon–Fri 8.30–5, Sat 9–12 ⇒ Monday to Friday eight thirty to five, Saturday nine to twelve.
      MON–FRI 9–5.30, SUN: closed ⇒ Monday to Friday nine to five thirty, Sunday, closed.
      mon-fri 8.30am-5pm ⇒ Monday to Friday eight thirty AM to five PM.
      Shop 8.30–17.00 ⇒ Shop eight thirty AM to five PM.
      until 10.30, then from 1.15 to 4.45 ⇒ until ten thirty, then from one fifteen to four forty-five.
      Mon/Wed/Fri 10-4, Weds 9am–7pm ⇒ Monday, Wednesday, Friday ten to four, Wednesday nine AM to seven PM.
      Sat by appt., bar 6pm–late ⇒ Saturday by appointment, bar six PM until late.
    `);
  });

  describe('figures that only look like times stay figures', () => {
    says(`
      a rate of 1.15–1.30 ⇒ a rate of one point one five to one point three zero.
      boards 2.15–2.30 m long ⇒ boards two point one five to two point three zero meters long.
      borrow at 4.15% ⇒ borrow at four point one five percent.
      £8.30–£9.00 ⇒ eight pounds and thirty pence to nine pounds.
      section 2.15–2.30 ⇒ section two point one five to two point three zero.
      1.5–2 ⇒ one point five to two.
    `);
  });

  describe('seasons and periods', () => {
    says(`
      19 March – 31 Oct ⇒ the nineteenth of March to the thirty-first of October.
      22 Dec – 2 Jan ⇒ the twenty-second of December to the second of January.
      1 April 2025 – 31 March 2026 ⇒ the first of April, twenty twenty-five to the thirty-first of March, twenty twenty-six.
      Apr–Sep, or in Feb ⇒ April to September, or in February.
      since 1890 ⇒ since eighteen ninety.
      min 2 hrs, 4 hrs, 2 wks, 18 mths ⇒ minimum two hours, four hours, two weeks, eighteen months.
      1h 30m or 2½ hrs ⇒ one hour thirty minutes or two and a half hours.
      2 x 30 min ⇒ two times thirty minutes.
      5–10 w.d. ⇒ five to ten w. d.
      ages 18+ ⇒ ages eighteen plus.
    `);
  });

  describe('measures', () => {
    says(`
      500/500 Mbit/s ⇒ five hundred by five hundred megabits per second.
      a 500/500 line ⇒ a five hundred slash five hundred line.
      7kW charger, 230V, 10 amp, 60W ⇒ seven kilowatt charger, two hundred thirty volts, ten amp, sixty watts.
      250 cu ft, 30 sq. m., 100m² ⇒ two hundred fifty cubic feet, thirty square meters, one hundred square meters.
      a 7.5t van within 30m at 5mph ⇒ a seven point five tonne van within thirty meters at five miles per hour.
      5ft 10in, 10 000 km, 4x4 ⇒ five foot ten, ten thousand kilometers, four by four.
      Chairs x2, unit 4b ⇒ Chairs times two, unit four b.
      20°C, 1–2 and 24/7 ⇒ twenty degrees Celsius, one to two and twenty-four seven.
    `);
  });

  describe('numbers to ring and to write to', () => {
    says(`
      01632 960174 ⇒ zero one six three two, nine six zero, one seven four.
      07700 900 123 ⇒ zero seven seven zero zero, nine zero zero, one two three.
      +44 (0)1632 960174 ⇒ plus four four, one six three two, nine six zero, one seven four.
      0800 1111 ⇒ zero eight zero zero, one one one one.
      800-419-1473 ⇒ eight hundred, four one nine, one four seven three.
      form SGLV 8714 ⇒ form S G L V, eight seven one four.
      LS1 4DY ⇒ L S one, four D Y.
      Company no. 01234567 ⇒ Company number zero one two three, four five six seven.
    `);
  });

  describe('short words', () => {
    says(`
      abt 3 days, approx. 5, nr the station ⇒ about three days, approximately five, near the station.
      a lift, eg a hoist, ie today ⇒ a lift, for example, a hoist, that is, today.
      bed w/ breakfast, bed w. breakfast, w/out dog, w/ends ⇒ bed with breakfast, bed with breakfast, without dog, weekends.
      see § 3 and Nos. 5 & 6 ⇒ see section three and numbers five and six.
      1st/2nd floor, # of guests and no. of dogs ⇒ first or second floor, number of guests and number of dogs.
      Tea • toast · jam → out ⇒ Tea, toast, jam, out.
      The answer is no. 5 came. ⇒ The answer is no. five came.
      SALLOW FARM: DOGS on leads ⇒ sallow farm, dogs on leads.
    `);
  });
});

describe('text with nothing to say', () => {
  it.each(['', '   ', '😀😀🎉', '...', '你好', 'مرحبا', '---', '\ud800', '🇩🇪', '```', '&nbsp;'])(
    '%j is silent',
    (text) => {
      expect(spokenForm(text)).toBe('');
    },
  );
});

describe('any text at all', () => {
  const hostile = [
    'a',
    '1',
    '1,',
    '1.',
    '1-',
    'A-',
    'A1',
    '(',
    '[',
    '[a](',
    '*',
    '**a',
    '_',
    '"',
    '1"',
    "1'",
    '<a ',
    '.',
    '@',
    'a@',
    '+1 ',
    '$1',
    '1/',
    '1:',
    '😀',
    'ب',
    '你',
    '\u202e',
    '\ud800',
    'e\u0301\u0301',
    'A&',
    'A.',
    'http://',
    '1 x ',
    'Mon-',
    'order ',
    '\n',
    '|',
    '---\n',
    'XX',
    '#A1-',
    '1.1.',
    '5%',
    '1.30–',
    '1 000 ',
    'Mon/',
    'Dec–',
    '£1 pp',
    '1h',
    '1/2 m',
    '1²',
    'w/',
    '§',
    '0800 ',
  ];

  it.each(hostile)('%j repeated to 8,000 characters becomes words alone', (unit) => {
    const said = spokenForm(unit.repeat(Math.ceil(8_000 / unit.length)).slice(0, 8_000));
    expect(said).toMatch(/^[\p{L}\p{M} .,;:!?'-]*$/u);
  });

  it('is said whole, however long', () => {
    const text = 'We deliver within 3 days for $5. '.repeat(240);
    expect(text.length).toBeGreaterThan(7_900);
    expect(spokenForm(text).match(/three days for five dollars\./g)).toHaveLength(240);
  });

  it('keeps no digit and no sign that the voice would stumble over', () => {
    const text =
      'Ref #A-1/2: 5°, ±3, 10^6, x=3, a_b, ~/home, 7€ & 8£, 1..2, <3, {"a":[1]}, ©2026™, 100µm, №7';
    expect(spokenForm(text)).toMatch(/^[\p{L} .,;:!?'-]*$/u);
  });

  it('reads what is already words unchanged', () => {
    const said = 'Thanks for calling, I can help you with that. What is your order number?';
    expect(spokenForm(said)).toBe(said);
  });
});
