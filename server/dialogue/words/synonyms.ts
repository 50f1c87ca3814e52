import { stem } from './stem.ts';

/** Each line: words a customer and a business use for the same thing. */
const groups = `
refund reimburse reimbursement repay repayment
return rma
exchange swap trade switch
parcel package shipment delivery ship delivery dispatch courier
order purchase
buy purchase order
cost price fee charge rate expensive pricing tariff amount cheap surcharge
pay payment charge bill
cancel terminate stop end quit discontinue
account profile
login signin access
password passcode credentials pin
broken break damage faulty defective fault defect malfunction malfunctioning crack cracked scratched dead
repair fix mend service
store shop branch showroom outlet boutique
warranty guarantee coverage cover guaranteed
invoice bill receipt statement billing
modify change edit update alter amend adjust adjustment
reschedule rebook postpone move
verify authenticate identify confirm validate prove identification authentication
type kind sort category variety
state status
phone telephone call hotline ring dial number
email mail
contact reach call email
location address located situated directions
begin start commence
end finish close expire
duration long last length
quick fast soon rapid speed quickly speedy
immediate instant instantly immediately straight straightaway
late delay delayed overdue lateness
discount deal promotion offer coupon voucher promo saving code sale reduction cheaper concession
giftcard voucher
loyalty reward points
join register enroll register signup
free complimentary included gratis
allow permit accept welcome permitted possible
forbid prohibit ban prohibited banned
need require must
eligible qualify qualified entitled
maximum most limit max cap upto highest largest
minimum least min lowest smallest
employee staff team agent representative
human person representative agent colleague staff
customer client user shopper guest patient member
business company organization firm corporate
appointment visit booking consultation slot
book reserve schedule arrange reservation
doctor physician dentist practitioner clinician
medicine medication drug
child kid minor baby infant toddler
pet animal dog cat
car vehicle automobile
park parking garage
wifi internet broadband wireless
breakfast meal
eat dine dining restaurant food meal
room suite accommodation
deposit prepayment downpayment
plan package tier subscription
subscription membership plan
upgrade downgrade
renew renewal extend
user seat license
data information
privacy gdpr confidential
delete erase remove deletion
download export
support help assistance service
manual instruction guide
recall safety
dangerous hazard hazardous unsafe danger
hurt injure injury injured burn burned
fire smoke flame burning
outage interruption blackout downtime down
meter reading
electricity power energy
gas leak
outside abroad overseas international internationally foreign worldwide
country nation
holiday vacation
open hour
checkin arrive arrival
checkout depart departure
luggage baggage bag suitcase
gym fitness workout
pool swim swimming
spa sauna wellness massage
disabled accessible wheelchair accessibility disability barrier
smoke smoking cigarette cigarettes vape
child crib cot
towel linen
dispose recycle disposal recycling haul
old used
new unused unopened
original initial
box packaging package
receipt proof
stock available availability
wait waiting queue
missing lost lose disappear vanished
steal theft stolen
wrong incorrect mistaken
complaint complain dissatisfied unhappy
evening night
morning am
afternoon pm
weekend saturday sunday
daily day
monthly month
annual yearly year annually
weekly week
installment financing finance installments instalments
card visa mastercard amex
insurance insurer insured coverage
emergency urgent urgently
pain ache toothache hurt
cleaning hygiene clean hygienist
child pediatric
consent approval permission authorization
owner proprietor
founded established
headquarters office hq headquartered
employer company
size dimension measure measurement
weigh weight heavy
color colour
material fabric
install setup installation fitting assemble assembly connect
language speak english spanish multilingual interpreter translate
escalate escalation supervisor manager
deadline cutoff due
time hour clock
send mail post ship submit
receive get obtain arrive
track tracking trace
login log
frequency often
backup restore recovery
secure security encrypted encryption protect
encrypt encryption encrypted
integrate integration connector
api developer
limit quota allowance restriction cap
speed mbps bandwidth
contract agreement term commitment
notice notify inform tell alert notification
unsubscribe optout
newsletter marketing
age old adult years
student academic
senior pensioner
military veteran
charity nonprofit
tax vat
currency dollar euro
customs duty import duties
courier carrier ups fedex dhl
pickup collect collection collect
express expedite expedited priority fast nextday overnight
overnight nextday
sameday same
technician engineer
reset restart reboot
lock locked blocked
unlock unblock
freeze suspend pause frozen
reactivate restore resume
fraud scam phishing suspicious unauthorized
penalty fine late
balance remaining
statement bill
redeem use spend
expire valid validity
transfer move
reason why ground
lend borrow loan loaner rent
rent hire rental lease
gift present
wrap wrapping
engrave personalize personalized custom customized bespoke
hygiene hygienic
perishable food
sustainable eco green environmental carbon environment
noise loud quiet
view see look
sign signature
match beat
competitor rival elsewhere
visitor guest
kettle kitchen
vegetarian vegan dietary
allergy allergic allergen
appear come attend noshow miss
lift elevator
bitcoin crypto cryptocurrency ethereum
trial demo try test
server datacenter host hosting stored storage
pause freeze suspend hold
recommend refer referral friend
bonus credit reward
terminate cancel end notice
leave checkout vacate depart exit
early beforehand advance ahead prior
ahead advance beforehand
limit cap allowance maximum quota unlimited
cap limit unlimited
extra additional more further another surcharge
additional extra supplementary
trainer coach instructor teacher
class course lesson session workshop
fee charge surcharge cost
no-show noshow appear
collect pickup fetch
tank fuel petrol gas
mileage kilometer mile distance
driver motorist
vehicle car van truck suv
accident crash collision damage
excess deductible
cover coverage insurance covered insured
tire wheel
extend prolong longer extension
shorten reduce
flight plane airline
passenger traveler
ticket fare
seat place
class cabin
baggage bag luggage suitcase checked
carry hand cabin
stopover layover connection connecting
name surname
birthday birth age
adult grown
teenager minor under
supervise accompany guardian parent escort
ill sick illness unwell
injury accident
symptom pain
vaccine vaccination shot jab
xray x-ray imaging scan
glasses lenses spectacles
result report test
form questionnaire document paperwork
proof evidence document certificate
copy duplicate
letter mail post
sign signature
reminder alert notification
autopay direct debit automatic recurring
recurring renew automatically
overpay overcharge overcharged double twice
dispute chargeback contest disagree object
wire transfer bank
withdraw withdrawal cash
deposit payin
interest apr apy rate yield
loan mortgage credit borrow
balance amount
overdraft negative
statement invoice
spend purchase use
threshold minimum
earn get gain collect accrue
redeem cash use spend exchange
point reward mile
expire lapse void
lounge club
guest companion visitor friend plus
kid-friendly family child
cot crib
view overlook
quiet silent noise
noise loud party
sheet linen bedding
safe locker vault valuables
locker storage
shower bathroom changing
sauna steam wellness spa
massage treatment
menu dish food
vegetarian vegan plant
reservation table booking
takeaway takeout pickup
tip gratuity service
terrace garden outdoor outside balcony patio
charge recharge charging plug socket
electric ev
station depot branch location
bus train tram metro subway transit
near close nearby vicinity
walk foot
stair lift elevator escalator step
plan tariff package contract bundle
bandwidth speed mbps fast
slow speed lag
router modem hub
outage down interruption disruption fault offline
fault defect problem issue malfunction trouble
working work function operate
compensation refund credit reimburse
blink flash flashing
light led lamp indicator
cable wire line
mobile cell cellphone sim
landline telephone phone
roaming abroad
text sms message
channel tv television
move relocate relocation moving house
address home
keep retain stay same
store retain keep save archive
retention keep store
delete erase purge remove
share disclose sell third
cookie tracking
complain complaint ombudsman dispute
recruit hire job career vacancy hiring
intern internship
sponsor sponsorship
partner affiliate reseller
wholesale bulk volume
quote estimate offer
sample trial demo
custom bespoke personalized tailored
engraving engrave personalization
assembly assemble setup install
measure size dimension
fit size
wash clean laundry
waterproof water resistant
battery charge power
spare part replacement
compatible compatibility work fit
version edition release
feature function capability
import upload
sync synchronize
app application mobile
browser chrome safari
offline internet
role permission access
invite add
owner admin administrator
audit log
sso saml login
hipaa gdpr compliance compliant
certificate certification certified iso
person people passenger guest customer visitor attendee participant adult
correct fix rectify amend
misspell typo spelling wrong incorrect correct
rest remaining remainder balance left leftover
lose forfeit expire
show performance play concert event screening
enter entry entrance admission admit door arrive
late latecomer delay
picture photo photograph photography film filming camera video image
carer caregiver companion helper escort attendant
money amount
reduction discount save saving
swap exchange
ill sick health
suitcase bag
plane flight
sit seat
coat jacket cloakroom
hire rent renting rental
fare price
become join membership
pensioner senior retired
bus train transit transport shuttle taxi tram
airport shuttle
invoice po
sla uptime
response respond reply answer
hold reserve
steal stolen theft thief rob robbed robbery burglar burglary nick nicked mug pickpocket
rip ripped torn tear damage damaged
dent dented bent damage
shatter shattered smash smashed broken
spoil spoiled rotten mouldy moldy expired bad
ruin ruined destroy destroyed damage
postage shipping delivery freight
stage state status step phase
unfair unjust appeal contest dispute object
appeal contest challenge dispute review
fine ticket penalty
tablet pill medicine medication capsule drug
prescription medication medicine
settle pay clear
earn income salary wage wages make pay
salary wage pay compensation
trash garbage rubbish waste refuse litter
trash garbage bin dustbin
couch sofa settee
fridge refrigerator freezer icebox
tv television telly
laptop notebook computer pc
mobile cellphone smartphone phone
bike bicycle cycle
motorbike motorcycle scooter moped
car automobile vehicle
truck lorry van
petrol gas gasoline fuel
apartment flat
house home property
landlord owner
tenant renter lodger
roommate flatmate housemate
neighbor neighbour
mom mum mother parent
dad father parent
wife husband spouse partner
kid kids child children
elderly old senior
pensioner retiree retired senior
handicapped disabled
dorm dormitory hostel hall halls
college university school
professor lecturer teacher tutor
grade mark score
exam examination test
degree diploma qualification
tuition fee
scholarship grant bursary aid funding
enrol enroll register signup
deadline closing due cutoff latest
liable responsible liability
owe owed debt outstanding due
repay reimburse refund
rebate discount reduction
cheap cheapest low lowest affordable
costly expensive dear pricey
bill invoice
invoice account
receipt invoice slip
wallet purse card
cash note coin money
atm cashpoint machine withdrawal withdraw
lend loan borrow
statement bill
unknown unrecognised unrecognized recognise recognize unauthorized fraud
hack hacked compromised breach
scam scammed fraud phishing
forget forgot forgotten lost
misplace misplaced lost
lamp light lantern
elevator lift
restroom toilet bathroom washroom loo wc
sidewalk pavement footpath
parcel package packet box
letterbox mailbox
courier driver rider carrier
driver rider courier
doorstep door porch
tip gratuity
takeaway takeout
vegetarian vegan meatless
nut nuts allergen allergy
drink beverage
alcohol beer wine spirits
underage minor age
id identity identification identify passport licence license
proof prove evidence
picture photo photograph image
film movie dvd video
song music
book title novel
magazine journal periodical
author writer
librarian staff
lend loan borrow checkout
overdue late
borrow loan
photocopy copy print
printer print printing
job work vacancy position career
worker employee staff
boss manager head director chief
chief head manager director
mayor head leader
run lead operate organise organize manage
lead led run head
volunteer helper
charity donation donate
donate give donation
pick collect pickup collection
throw dispose discard bin away
repair fix mend
swap exchange replace replacement
replace replacement substitute
substitute alternative replacement
expire lapse lost void
forfeit lose lost
cancel withdraw revoke rescind
withdraw withdrawal cancel
quit leave cancel terminate
postpone defer delay
defer postpone delay later
skip pause miss
forward redirect
modify alter change
fast faster quick quicker express urgent
today sameday immediately now
tonight evening today
urgent fast express immediately
wait long
earliest soonest first
latest last deadline
nearby near close
opposite across
upstairs floor
parking park car
bus coach
subway metro underground tube
underground subway metro
airport plane flight
itinerary trip journey travel
journey trip travel
abroad overseas international foreign
foreign currency international
dollar currency foreign
convert conversion exchange
excess deductible
payout pay compensation settlement
bear pay
insured cover covered insurance protected
protected covered insured
flood flooding water
burst leak pipe
storm wind hail
premium price fee
policy contract insurance
claim damage report
locksmith key lock
key keys lock
lawyer attorney solicitor legal
nurse doctor
dose dosage amount
overdose poison poisoning
ill sick unwell
pregnant pregnancy
surgery operation
hospital clinic
appointment booking slot visit
gym fitness
workout training exercise
coach trainer instructor
shower changing
shoe shoes footwear trainers sneakers
clothes clothing wear dress
outfit clothes dress
large big huge bulky
small little tiny
heavy weight weigh
part component
manual guide instructions
app application
online internet web website
offline down outage
crash bug error fault
slow lag
hang freeze frozen
upload import
team colleague member
admin administrator owner
permission allowed permit
forbidden prohibited banned
permit licence license
licence license permit
birth born
marriage wedding married
marry married marriage wedding
death died deceased
passport id document
pool swim swimming
rink skate skating
dog puppy pet
resident inhabitant citizen local
tourist visitor
tour guided visit
exhibit exhibition display
ticket admission entry
queue line wait
crowded busy
quiet calm
pram stroller buggy pushchair
cloakroom locker coat bag
locker storage luggage
souvenir gift shop
cafe coffee restaurant
sandwich food snack eat
snack food eat
hungry food eat
thirsty drink
sleep night overnight
tired rest
cold heating
hot cooling aircon
heater heating
bulb light lamp
socket plug outlet
wire cable
noise noisy loud
smell odour odor
clean cleaning tidy
dirty stain stained
stain stained mark marked
mark marks scratch crease
worn used
unworn unused new
tag label
wrapper packaging
sealed unopened closed
opened unsealed
genuine original authentic
fake counterfeit
guarantee warranty
faulty defective broken
trouble problem issue
explain reason
difference compare versus
better upgrade
worse downgrade
combine together merge
split divide separate
several multiple many
twice double two
half fifty
entire whole full
partial part
remaining left rest
spare extra additional
`;

/** Each line: a wider word, then narrower ones. A question with a narrow word may be answered by the wide one, less the other way. */
const narrower = `
pet dog cat puppy kitten bird hamster animal rabbit
child baby infant toddler son daughter teenager teen kid boy girl newborn
card visa mastercard amex maestro
weekend saturday sunday
weekday monday tuesday wednesday thursday friday
appliance fridge refrigerator washer dryer dishwasher oven kettle toaster blender microwave freezer cooker hob
furniture sofa couch table chair bed wardrobe
clothing shirt shoe shoes dress trousers jeans jacket sweater hat sock
electronics phone laptop tablet tv television camera headphone earbud speaker computer monitor
item product article good merchandise goods stuff
meal breakfast lunch dinner supper
drink coffee tea wine beer
holiday christmas easter thanksgiving newyear
vehicle car motorcycle van truck bike bicycle
family wife husband partner spouse child parent
id passport licence driver
credentials password pin
damage crack scratch dent broken
illness flu cold fever sick
december christmas
january newyear
repair broken break damage fault faulty defect defective
warranty broken break faulty defect defective
age old
`;

export interface Related {
  stem: string;
  /** 0 to 1: how sure a hit on this word is a hit on the one asked for. */
  weight: number;
}

const SAME = 0.82;
const WIDER = 0.6;
const NARROWER = 0.35;

const related = new Map<string, Map<string, number>>();

function relate(from: string, to: string, weight: number) {
  if (from === to) return;
  const known = related.get(from) ?? new Map<string, number>();
  known.set(to, Math.max(known.get(to) ?? 0, weight));
  related.set(from, known);
}

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => [...new Set(line.trim().split(/\s+/).map(stem))]);

for (const group of linesOf(groups)) for (const a of group) for (const b of group) relate(a, b, SAME);
for (const [wide, ...narrow] of linesOf(narrower))
  if (wide)
    for (const word of narrow) {
      relate(word, wide, WIDER);
      relate(wide, word, NARROWER);
    }

/** Other words for a stem that the vocabulary of customer care knows, nearest first. */
export function relatedTo(word: string): Related[] {
  return [...(related.get(word) ?? [])]
    .map(([stem, weight]) => ({ stem, weight }))
    .sort((a, b) => b.weight - a.weight);
}
