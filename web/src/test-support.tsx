import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { reloadSession } from '#web/lib/server/session';
import { leaveTab } from '#web/lib/tab-owner';
import { toast } from '#web/ui/layers/toast';
import { Providers } from './app/providers.tsx';
import { routes } from './app/router.tsx';

export const ada = { _id: 'user-ada', name: 'Ada Lovelace', email: 'ada@example.com' };

/** The key that a server gives to a page of hers. */
export const adasTabKey = btoa('ada'.padEnd(32));

/** A request the page made. */
export interface SeenRequest {
  method: string;
  path: string;
  body: unknown;
  authorization: string | null;
}

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> } | Promise<never>;

/**
 * Stands in for the server: answers by "METHOD /path" (query left out), 404 for anything else.
 * @returns every request made, in order
 */
export function fakeServer(
  answers: Record<string, Answer | ((request: SeenRequest) => Answer)>,
): SeenRequest[] {
  const seen: SeenRequest[] = [];
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const url = new URL(String(input), 'http://localhost');
    const request: SeenRequest = {
      method: init.method ?? 'GET',
      path: url.pathname,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      authorization: new Headers(init.headers).get('authorization'),
    };
    seen.push(request);
    const known: Answer | ((asked: SeenRequest) => Answer) =
      answers[`${request.method} ${request.path}`] ?? refusal(404, 'This page does not exist.', 'not-found');
    const answer: Awaited<Answer> = await (typeof known === 'function' ? known(request) : known);
    const { status = 200, body, headers = {} } = answer;
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json', ...headers },
    });
  });
  return seen;
}

export const refusal = (status: number, message: string, code: string, fields?: Record<string, string>) => ({
  status,
  body: { message, error: message, code, ...(fields ? { fields } : {}) },
});

/** An answer that never comes. */
export const never = () => new Promise<never>(() => {});

/** Opens the product at an address, as a browser with this stored token would. */
export function openPage(path: string, token?: string) {
  toast.clear();
  if (token) localStorage.setItem('token', token);
  reloadSession();
  // Nothing in memory outlives a page.
  leaveTab();
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <Providers>
      <RouterProvider router={router} />
    </Providers>,
  );
  return { router, path: () => router.state.location.pathname };
}

/** Signs in, opens the settings and a tab of theirs. @returns the page, and what is in the dialog */
export async function openSettings(tab: string) {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  // The tabs watch their size; here nothing has one.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const page = openPage('/agents', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Settings' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Settings' }));
  await userEvent.click(dialog.getByRole('tab', { name: tab }));
  return { page, dialog };
}
