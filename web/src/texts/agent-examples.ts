import { examples } from './en/agent-examples.ts';
import { inLanguage } from './language.ts';

export const agentExamples = inLanguage({ en: examples });
