import type { LanguagePack } from '../contract.ts';
import { documentWords } from '../document-words.ts';
import { functionWordsElsewhere } from '../without-a-pack.ts';
import { claims } from './claims/claims.ts';
import { audienceOf, toCustomer } from './documents/audience.ts';
import { functionWords } from './documents/function-words.ts';
import { isSteering } from './documents/steering.ts';
import { readInstructions } from './instructions/instructions.ts';
import { listed } from './lists.ts';
import { placeIn } from './messages/choices.ts';
import { consentIn } from './messages/consent/consent.ts';
import { announcesContact, isPartOfContact, unfinishedContact, withFigures } from './messages/contact.ts';
import { contactLeft, correctedContact } from './messages/corrected-contact.ts';
import { emergencies } from './messages/emergencies.ts';
import { isCorrection } from './messages/is-correction.ts';
import { actIn } from './messages/learned-acts.ts';
import { readMessage } from './messages/read-message.ts';
import { replies } from './messages/replies.ts';
import { valuesIn } from './messages/spoken-values.ts';
import { askedInstead } from './questions/asked-instead.ts';
import { hasAskedKind } from './questions/asked-kind.ts';
import { contactAskedFor } from './questions/asks-contact.ts';
import { leaning } from './questions/leaning.ts';
import { openAt } from './questions/opening-hours.ts';
import { needsOwnRecords } from './questions/own-records.ts';
import { quantitiesMeet } from './questions/quantities.ts';
import { isEmptyTerm, pointsNowhere, withoutNegated } from './questions/vague.ts';
import { asksTheWay, wantsDone } from './questions/wants-done.ts';
import { leavesItOpen, whoIsMeant } from './rooms/who-is-meant.ts';
import { splitSentences } from './sentences.ts';
import { isEnglish } from './sentiment/english.ts';
import { isNumber } from './sentiment/is-number.ts';
import { endsNegation, isNegation } from './sentiment/negation.ts';
import { patterns } from './sentiment/patterns.ts';
import { isCourtesy, settles } from './sentiment/settled.ts';
import { breathesBefore, placesToBreathe } from './spoken/clauses.ts';
import { spokenForm } from './spoken/spoken-form.ts';
import { isNameable, tells } from './telling/headings.ts';
import { itemAsSentence, rowAsSentence, rowsTogether } from './telling/rows.ts';
import { makeTitle } from './topics/title.ts';
import { isStep, spokenTopic, topicForWelcome } from './topics/topics.ts';
import { turnTaking } from './turn-taking/turn-taking.ts';
import { actions } from './wording/actions.ts';
import { answers } from './wording/answers.ts';
import { colleague } from './wording/colleague.ts';
import { readPersona } from './wording/persona.ts';
import { smallTalk } from './wording/small-talk.ts';
import { normalize, stopWordsOnly, termsOf } from './words.ts';
import { writing } from './writing/writing.ts';

export const english: LanguagePack = {
  tag: 'en',
  words: { normalize, termsOf, stopWordsOnly },
  splitSentences,
  documents: {
    ...documentWords([functionWords, ...functionWordsElsewhere]),
    nowhere: 'Company information',
    listed,
    isSteering,
    audienceOf,
    toCustomer,
  },
  questions: {
    hasAskedKind,
    contactAskedFor,
    leaning,
    askedInstead,
    quantitiesMeet,
    needsOwnRecords,
    withoutNegated,
    isEmptyTerm,
    pointsNowhere,
    wantsDone,
    openAt,
    asksTheWay,
    hoursQuestion: 'What are your opening hours? When are you open?',
  },
  messages: {
    read: readMessage,
    actIn,
    contactIn: contactLeft,
    correctedContact,
    announcesContact,
    isPartOfContact,
    unfinishedContact,
    valuesIn,
    consentIn,
    isCorrection,
    withFigures,
    maskedAs: {
      card: '[card number]',
      account: '[account number]',
      nationalId: '[ID number]',
      email: '[e-mail address]',
      phone: '[phone number]',
    },
    placeIn,
    title: makeTitle,
  },
  say: { ...smallTalk, ...answers, ...actions, ...colleague },
  personaOf: readPersona,
  instructionsIn: readInstructions,
  topics: { spoken: spokenTopic, forWelcome: topicForWelcome },
  telling: { row: rowAsSentence, rows: rowsTogether, item: itemAsSentence, tells, isNameable, isStep },
  emergencies,
  replies,
  claims,
  writing,
  rooms: { whoIsMeant, leavesItOpen },
  turnTaking,
  speech: { spokenForm, breathesBefore, placesToBreathe },
  sentiment: { patterns, isNegation, endsNegation, isWrittenIn: isEnglish, isNumber, settles, isCourtesy },
};
