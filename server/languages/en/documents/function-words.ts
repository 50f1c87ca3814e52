import { type FunctionWords, listOf } from '../../document-words.ts';

export const functionWords: FunctionWords = {
  limits: listOf(`
    except|excepting|unless|however|but|otherwise|only if|only when|only|provided|apart from|other than|
    excluding|exception|exceptions|if not|even so|not if|not for|in that case|in this case|
    in these cases|in such cases|instead|nor|exempt|though|although|as long as|until then|after that|
    before that|less than that|more than that|no exceptions|note that|please note|note
  `),
  pointsBack: listOf(`
    this|these|that|those|it|it's|it’s|they|they're|they’re|them|such|he|she|both|neither|either|each|
    the same|the latter|the former|also|then|there|here|so|therefore|and|or|its|their|ditto|likewise|
    same|the other|the others|you also|you can also|you may also|we also|we can also|we then
  `),
  compares: listOf('less|more|fewer|over|under|up to|at least|at most|from|until|till'),
  opens: listOf(`
    get|need|accept|include|includes|including|are|is|be|to|by|with|for|from|offer|offers|provide|
    provides|require|requires|bring|have|has|you're|you’re|must|can|may|cannot|either|use|contains|
    contain|cover|covers
  `),
  replies: listOf(`
    yes|no|sure|certainly|absolutely|of course|unfortunately not|not at all|definitely|correct
  `),
  wonders: listOf('what|how|where|when|why|who|which|things|how to'),
  unfinished: listOf(`
    a|an|the|of|to|by|in|on|at|for|with|from|and|or|that|is|are|be|which|who|as|than|our|your|its|their|
    this|these|not|if|when|will|can|may|must
  `),
  and: listOf('and'),
  or: listOf('or'),
  question: listOf('q|question'),
  answer: listOf('a|answer'),
};
