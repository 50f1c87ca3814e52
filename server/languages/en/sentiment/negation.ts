const negation =
  /^(?:not|no|never|nobody|nothing|none|neither|nor|cannot|without|hardly|barely|\p{L}+n['’]t|dont|cant|wont|didnt|doesnt|isnt|wasnt|arent|couldnt|wouldnt|havent|hasnt|aint)$/u;
const ending = /^(?:[.,;!?]+|but|however|although|though|because)$/;

export const isNegation = (token: string): boolean => negation.test(token);
export const endsNegation = (token: string): boolean => ending.test(token);
