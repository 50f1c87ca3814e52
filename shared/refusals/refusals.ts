import { accounts } from './accounts.ts';
import { actions } from './actions.ts';
import { agents } from './agents.ts';
import { calls } from './calls.ts';
import { common } from './common.ts';
import { conversations } from './conversations.ts';
import { documents } from './documents.ts';
import { engines } from './engines.ts';
import { insights } from './insights.ts';
import { keys } from './keys.ts';
import { missing } from './missing.ts';
import { rooms } from './rooms.ts';
import { scans } from './scans.ts';
import { speech } from './speech.ts';

/**
 * Every sentence of a refusal, in English, by part and name: 'accounts.email-taken' is its key. Keys are stable, since
 * clients translate by them; sentences may be reworded at any time. `{name}` is filled with text, `{max, number}` with
 * a number, as in ICU MessageFormat.
 */
export const refusals = {
  ...{
    accounts,
    actions,
    agents,
    calls,
    common,
    conversations,
    documents,
    engines,
    insights,
    keys,
    missing,
    rooms,
  },
  ...{ scans, speech },
};

type Refusals = typeof refusals;
export type RefusalKey = {
  [Part in keyof Refusals]: `${Part}.${keyof Refusals[Part] & string}`;
}[keyof Refusals];
