import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The server's name of its model. */
export const SMALL_MODEL = 'smollm2-135m-instruct';

/** A real model of 135 million weights behind llama.cpp's server. */
export interface SmallModel {
  /** Base address of its OpenAI API, without `/v1`. */
  url: string;
  /** Ends it abruptly, like a machine that dies. */
  kill(): Promise<void>;
}

/**
 * @param python of the environment made by `installSmallModel` of scripts/lib/test-machine.js
 * @throws with its output if it ends before it listens
 */
export async function startSmallModel(python: string): Promise<SmallModel> {
  const program = fileURLToPath(new URL('small-model.py', import.meta.url));
  const child = spawn(python, [program], { stdio: 'pipe' });
  const exited = once(child, 'exit');
  return {
    url: await addressOf(child),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stderr?.on('data', (chunk) => {
      printed = (printed + chunk).slice(-4_000);
    });
    if (child.stdout)
      createInterface(child.stdout).on('line', (line) => {
        if (line.startsWith('http://')) resolve(line);
      });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The small model ended with code ${code}: ${printed}`)));
  });
}

/** An action at a certain moment of an answer. */
interface Moment {
  /** Index of the word, or the end of a shorter answer. */
  word: number;
  /** The word waits for it. `false`: the connection breaks instead. */
  act: () => Promise<boolean>;
}

/**
 * A proxy between product and model, so that a test can act in the middle of an answer, whatever the model
 * says.
 */
export async function openWatchedLine(target: () => string) {
  const line = {
    url: '',
    /** For the next answer. */
    moment: null as Moment | null,
    /** Answers with at least one word. */
    answers: 0,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const answered = async (answer: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
    let words = 0;
    for await (const chunk of answer) {
      const text = String(chunk);
      const before = words;
      words += text.match(/"content":"[^"]/g)?.length ?? 0;
      if (before === 0 && words > 0) line.answers++;
      const { moment } = line;
      if (moment && words > 0 && (words >= moment.word || /"finish_reason":"/.test(text))) {
        line.moment = null;
        if (!(await moment.act())) return void outgoing.destroy();
      }
      outgoing.write(chunk);
    }
    outgoing.end();
  };
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const breakOff = () => void outgoing.destroy();
    const asked = request(new URL(url, target()), { method, headers, agent: false });
    asked.once('error', breakOff);
    asked.once('response', (answer) => void answered(answer, outgoing).catch(breakOff));
    outgoing.once('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  line.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return line;
}
