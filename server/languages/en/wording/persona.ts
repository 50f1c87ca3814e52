import type { Persona } from '../../wording.ts';

export function readPersona(agent: { personality: string; prompts: readonly string[] }): Persona {
  const text = `${agent.personality} ${agent.prompts.join(' ')}`.toLowerCase().slice(0, 8_000);
  const said = (pattern: RegExp) =>
    pattern.test(
      text.replace(
        /\b(?:not|never|no|avoid|without|don't be|isn't) (?:too |overly |be |being |a )?\w+/g,
        ' ',
      ),
    );
  const formal = said(
    /\b(?:formal|professional|polite|courteous|respectful|business-?like|elegant|discreet|serious|sophisticated|distinguished)\b/,
  );
  const playful = said(
    /\b(?:playful|funny|humorous|witty|quirky|cheeky|fun|bubbly|jokes?|upbeat|energetic|enthusiastic|lively|excited)\b/,
  );
  const friendly = said(
    /\b(?:friendly|warm|cheerful|casual|kind|helpful|welcoming|approachable|relaxed|informal|conversational|caring|easygoing)\b/,
  );
  const strictlyFormal =
    said(/\b(?:formal|business-?like|elegant|sophisticated|distinguished|serious)\b/) &&
    !/\binformal\b/.test(text);
  return {
    tone: strictlyFormal
      ? 'formal'
      : playful
        ? 'playful'
        : friendly
          ? 'friendly'
          : formal
            ? 'formal'
            : 'plain',
    brief: said(
      /\b(?:brief|short|concise|succinct|to the point|terse|direct|efficient|no-nonsense|few words)\b/,
    ),
    empathetic: said(
      /\b(?:empath\w+|understanding|compassion\w*|caring|patient|sympath\w+|gentle|reassuring|sensitive)\b/,
    ),
    contractions: !strictlyFormal,
  };
}
