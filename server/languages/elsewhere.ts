/**
 * The few sentences that an agent says itself in a language without a pack; its language model says the rest.
 */
interface PhrasesElsewhere {
  welcome(agentName: string, companyName: string): string;
  oneMoment: string;
  /** Asked after a silence. */
  stillThere: string;
  declined: string;
  anythingElse: string;
  /** It speaks English and not this language. */
  onlyEnglish: string;
  /** Frequent words, by which the language is recognised. */
  words: string;
}

/** By the first part of a BCP 47 tag. */
const phrases: Readonly<Record<string, PhrasesElsewhere>> = {
  cs: {
    welcome: (agent, company) => `Dobrý den, tady ${agent}, ${company}. Jak vám mohu pomoci?`,
    oneMoment: 'Okamžik, prosím.',
    stillThere: 'Jste tam ještě?',
    declined: 'Tuto informaci bohužel nemám. Má se vám ozvat kolega?',
    anythingElse: 'Mohu vám ještě s něčím pomoci?',
    onlyEnglish: 'Bohužel mluvím jen anglicky.',
    words: 'dobrý|den|jak|mluvíte|česky|prosím|můžete|jsem|mám|nebo|kdy|kde',
  },
  da: {
    welcome: (agent, company) => `Hej, du taler med ${agent} fra ${company}. Hvad kan jeg hjælpe med?`,
    oneMoment: 'Et øjeblik.',
    stillThere: 'Er du der stadig?',
    declined: 'Den oplysning har jeg desværre ikke. Skal en kollega vende tilbage til dig?',
    anythingElse: 'Er der andet, jeg kan hjælpe med?',
    onlyEnglish: 'Jeg taler desværre kun engelsk.',
    words: 'hvad|hvor|jeg|ikke|taler|kan|dansk|hvornår|tak|og|åbent',
  },
  de: {
    welcome: (agent, company) => `Hallo, hier ist ${agent} von ${company}. Wie kann ich Ihnen helfen?`,
    oneMoment: 'Einen Moment, bitte.',
    stillThere: 'Sind Sie noch da?',
    declined: 'Das weiß ich leider nicht. Soll sich jemand aus dem Team bei Ihnen melden?',
    anythingElse: 'Kann ich sonst noch etwas für Sie tun?',
    onlyEnglish: 'Ich spreche leider nur Englisch.',
    words: 'ich|sie|der|die|das|ist|und|nicht|sprechen|deutsch|wie|wann|wo|haben|können|bitte|mit',
  },
  es: {
    welcome: (agent, company) => `Hola, soy ${agent}, de ${company}. ¿En qué puedo ayudarle?`,
    oneMoment: 'Un momento, por favor.',
    stillThere: '¿Sigue ahí?',
    declined: 'Lo siento, no tengo esa información. ¿Quiere que un compañero se ponga en contacto con usted?',
    anythingElse: '¿Puedo ayudarle en algo más?',
    onlyEnglish: 'Lo siento, solo hablo inglés.',
    words: 'el|la|los|las|que|habla|hablan|español|puedo|cuánto|cuándo|dónde|por|favor|una|tiene|usted|hola',
  },
  fr: {
    welcome: (agent, company) => `Bonjour, ici ${agent}, ${company}. Comment puis-je vous aider ?`,
    oneMoment: 'Un instant, s’il vous plaît.',
    stillThere: 'Vous êtes toujours là ?',
    declined: 'Je suis désolé, je n’ai pas cette information. Voulez-vous qu’un collègue vous recontacte ?',
    anythingElse: 'Puis-je vous aider pour autre chose ?',
    onlyEnglish: 'Je suis désolé, je ne parle que l’anglais.',
    words:
      "le|la|les|est|ce|qu’on|qu'on|peut|parler|parlez|vous|français|bonjour|je|une|pour|avec|quand|combien|où",
  },
  it: {
    welcome: (agent, company) => `Buongiorno, sono ${agent} di ${company}. Come posso aiutarla?`,
    oneMoment: 'Un momento, per favore.',
    stillThere: 'È ancora in linea?',
    declined: 'Mi dispiace, non ho questa informazione. Vuole che un collega la ricontatti?',
    anythingElse: 'Posso aiutarla in qualcos’altro?',
    onlyEnglish: 'Mi dispiace, parlo solo inglese.',
    words: 'il|lo|gli|che|parla|parlate|italiano|posso|quanto|quando|dove|una|per|sono|buongiorno|avete',
  },
  nb: {
    welcome: (agent, company) => `Hei, du snakker med ${agent} fra ${company}. Hva kan jeg hjelpe med?`,
    oneMoment: 'Et øyeblikk.',
    stillThere: 'Er du der fortsatt?',
    declined: 'Den opplysningen har jeg dessverre ikke. Skal en kollega ta kontakt med deg?',
    anythingElse: 'Er det noe annet jeg kan hjelpe med?',
    onlyEnglish: 'Jeg snakker dessverre bare engelsk.',
    words: 'hva|hvor|jeg|ikke|snakker|kan|norsk|når|takk|og|åpent',
  },
  nl: {
    welcome: (agent, company) => `Hallo, u spreekt met ${agent} van ${company}. Waarmee kan ik u helpen?`,
    oneMoment: 'Een ogenblik, alstublieft.',
    stillThere: 'Bent u er nog?',
    declined: 'Dat weet ik helaas niet. Zal een collega contact met u opnemen?',
    anythingElse: 'Kan ik u nog ergens anders mee helpen?',
    onlyEnglish: 'Ik spreek helaas alleen Engels.',
    words: 'ik|het|een|niet|spreekt|nederlands|hoe|wanneer|waar|kan|mijn|alstublieft|hebben',
  },
  pl: {
    welcome: (agent, company) => `Dzień dobry, tu ${agent}, ${company}. W czym mogę pomóc?`,
    oneMoment: 'Chwileczkę, proszę.',
    stillThere: 'Czy nadal tam Państwo są?',
    declined: 'Niestety nie mam tej informacji. Czy ktoś z zespołu ma się z Państwem skontaktować?',
    anythingElse: 'Czy mogę jeszcze w czymś pomóc?',
    onlyEnglish: 'Niestety mówię tylko po angielsku.',
    words: 'czy|pan|pani|mówi|polsku|jak|kiedy|gdzie|nie|jest|proszę|mogę',
  },
  pt: {
    welcome: (agent, company) => `Olá, fala ${agent}, de ${company}. Em que posso ajudar?`,
    oneMoment: 'Um momento, por favor.',
    stillThere: 'Ainda está aí?',
    declined: 'Lamento, não tenho essa informação. Quer que um colega entre em contacto consigo?',
    anythingElse: 'Posso ajudar em mais alguma coisa?',
    onlyEnglish: 'Lamento, só falo inglês.',
    words: 'que|fala|falam|português|posso|quanto|quando|onde|uma|por|favor|você|tem|olá',
  },
  sv: {
    welcome: (agent, company) => `Hej, du talar med ${agent} på ${company}. Vad kan jag hjälpa till med?`,
    oneMoment: 'Ett ögonblick.',
    stillThere: 'Är du kvar?',
    declined: 'Den uppgiften har jag tyvärr inte. Ska en kollega höra av sig till dig?',
    anythingElse: 'Är det något annat jag kan hjälpa till med?',
    onlyEnglish: 'Jag talar tyvärr bara engelska.',
    words: 'vad|var|jag|inte|talar|pratar|kan|svenska|när|tack|och|öppet',
  },
  tr: {
    welcome: (agent, company) =>
      `Merhaba, ben ${company} firmasından ${agent}. Size nasıl yardımcı olabilirim?`,
    oneMoment: 'Bir dakika, lütfen.',
    stillThere: 'Hâlâ orada mısınız?',
    declined: 'Üzgünüm, bu bilgi bende yok. Bir çalışma arkadaşım sizi arasın mı?',
    anythingElse: 'Başka bir konuda yardımcı olabilir miyim?',
    onlyEnglish: 'Üzgünüm, yalnızca İngilizce konuşuyorum.',
    words: 've|bir|türkçe|konuşuyor|musunuz|nasıl|nerede|zaman|lütfen|var|mı|ne',
  },
};

/**
 * The phrases of a language without a pack.
 * @param language BCP 47
 * @returns null if none are known
 */
export const phrasesElsewhere = (language: string): PhrasesElsewhere | null =>
  phrases[language.toLowerCase().split('-')[0] ?? ''] ?? null;

const YES_OR_NO =
  /^[^\p{L}]*(?:ja|jo|joo|oui|si|sí|sì|sim|tak|ano|kyllä|evet|nee|nein|non|no|não|nie|ne|ei|nej|nei|hayır)(?!\p{L})/iu;

/**
 * Whether a sentence in a language other than English begins with a yes or no, which carries information of
 * its own.
 */
export const beginsWithYesOrNo = (sentence: string): boolean => YES_OR_NO.test(sentence);

/** Words that identify a language, and their least share of all words. */
const HEARD = 2;
const HEARD_SHARE = 0.4;

/**
 * The sentence, in the text's language, that the agent speaks only English.
 * @returns null for English and for unknown languages
 */
export function onlyEnglishIn(text: string): string | null {
  const said = text.toLowerCase().match(/[\p{L}’']+/gu) ?? [];
  const counts = Object.values(phrases).map(({ words, onlyEnglish }) => {
    const known = new Set(words.split('|'));
    return { onlyEnglish, heard: said.filter((word) => known.has(word)).length };
  });
  const best = counts.reduce((a, b) => (b.heard > a.heard ? b : a));
  return best.heard >= HEARD && best.heard / said.length >= HEARD_SHARE ? best.onlyEnglish : null;
}
