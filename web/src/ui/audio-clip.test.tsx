import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AudioClip } from './audio-clip.tsx';

const link = (signature: string, id = '1') =>
  `http://care.example/api/recordings/${id}?signature=${signature}`;

/** The test's browser plays nothing: what it would do is told by hand. */
const played: HTMLMediaElement[] = [];
const paused: HTMLMediaElement[] = [];
beforeEach(() => {
  played.length = 0;
  paused.length = 0;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async function (this: HTMLMediaElement) {
    played.push(this);
  });
  vi.spyOn(HTMLMediaElement.prototype, 'pause').mockImplementation(function (this: HTMLMediaElement) {
    paused.push(this);
  });
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(() => {});
});

function media(index = 0): HTMLAudioElement {
  const element = document.querySelectorAll('audio')[index];
  if (!element) throw new Error('There is no audio element.');
  return element;
}
/** Sets what the browser knows of the sound, and says so. */
function tell(
  event: string,
  known: Partial<Record<'duration' | 'currentTime' | 'paused' | 'ended' | 'readyState', unknown>> = {},
  of = media(),
) {
  for (const [name, value] of Object.entries(known))
    Object.defineProperty(of, name, { value, configurable: true, writable: true });
  fireEvent(of, new Event(event));
}
const press = (name: string, index = 0) =>
  userEvent.click(screen.getAllByRole('button', { name })[index] ?? document.body);
const position = () => screen.getByRole('slider', { name: 'Position' });

async function open(length = 12) {
  await press('Play');
  tell('loadedmetadata', { duration: length, readyState: 1 });
  tell('playing', { paused: false, ended: false });
}

describe('a recording', () => {
  it('is fetched only when somebody wants to hear it', () => {
    render(<AudioClip src={link('a')} label="Recording of your message" />);
    expect(screen.getByRole('group', { name: 'Recording of your message' })).toBeVisible();
    expect(media()).toHaveAttribute('preload', 'none');
    expect(position()).toHaveAttribute('data-disabled');
    expect(played).toEqual([]);
  });

  it('plays and pauses', async () => {
    render(<AudioClip src={link('a')} label="Recording" />);
    await press('Play');
    expect(screen.getByRole('button', { name: 'Pause' })).toHaveAttribute('aria-busy', 'true');
    tell('playing', { paused: false });
    expect(screen.getByRole('button', { name: 'Pause' })).not.toHaveAttribute('aria-busy');
    await press('Pause');
    expect(paused).toEqual([media()]);
    expect(screen.getByRole('button', { name: 'Play' })).toBeVisible();
  });

  it('shows where one is in it, and begins again when it has ended', async () => {
    render(<AudioClip src={link('a')} label="Recording" />);
    await open(12.4);
    tell('timeupdate', { currentTime: 7.9 });
    expect(screen.getByText('0:07')).toHaveTextContent('0:07 / 0:12');
    expect(position()).toHaveAttribute('aria-valuetext', '0:07 of 0:12');
    tell('ended', { ended: true, paused: true });
    expect(screen.getByRole('button', { name: 'Play' })).toBeVisible();
    expect(media().currentTime).toBe(0);
  });

  it('is sought in by keys, and never past its ends', async () => {
    render(<AudioClip src={link('a')} label="Recording" />);
    await open(5);
    tell('timeupdate', { currentTime: 0 });
    act(() => position().focus());
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(media().currentTime).toBe(4);
    await userEvent.keyboard('{ArrowRight}');
    expect(media().currentTime).toBe(5);
    await userEvent.keyboard('{Home}');
    expect(media().currentTime).toBe(0);
    await userEvent.keyboard('{ArrowLeft}');
    expect(media().currentTime).toBe(0);
  });

  it('goes as fast as one likes, and the next one does, too', async () => {
    const { unmount } = render(<AudioClip src={link('a')} label="Recording" />);
    await press('Speed 1×');
    expect(media().playbackRate).toBe(1.25);
    unmount();
    render(<AudioClip src={link('b', '2')} label="Another" />);
    await press('Play');
    expect(media().playbackRate).toBe(1.25);
    for (const speed of ['1.25', '1.5', '2', '0.75']) await press(`Speed ${speed}×`);
    expect(screen.getByRole('button', { name: 'Speed 1×' })).toBeVisible();
  });

  it('falls silent when another one is wanted, or its page is left', async () => {
    const { unmount } = render(
      <>
        <AudioClip src={link('a')} label="First" />
        <AudioClip src={link('b', '2')} label="Second" />
      </>,
    );
    await press('Play');
    await press('Play');
    expect([played.map((each) => each.src), paused]).toEqual([[media(0).src, media(1).src], [media(0)]]);
    const second = media(1);
    unmount();
    expect(paused).toContain(second);
  });

  it('that says no length is measured: once to its end and back', async () => {
    render(<AudioClip src={link('a')} label="Recording" />);
    await press('Play');
    tell('loadedmetadata', { duration: Number.POSITIVE_INFINITY, readyState: 1, currentTime: 0 });
    expect(media().currentTime).toBe(Number.MAX_SAFE_INTEGER);
    tell('timeupdate', { currentTime: 3 });
    tell('pause', { paused: true, ended: true });
    tell('ended');
    expect(screen.queryByText(/0:03/)).toBeNull();
    tell('durationchange', { duration: 3.2 });
    expect(media().currentTime).toBe(0);
    expect(position()).toHaveAttribute('aria-valuetext', '0:00 of 0:03');
    expect(played).toHaveLength(2);
  });

  it('that cannot be played says so, and is tried again with the newest link', async () => {
    const { rerender } = render(<AudioClip src={link('old')} label="Recording" />);
    await press('Play');
    tell('error');
    expect(screen.getByRole('status')).toHaveTextContent('This recording cannot be played.');
    rerender(<AudioClip src={link('new')} label="Recording" />);
    expect(media().src).toBe(link('new'));
    await press('Try again');
    expect(played).toHaveLength(2);
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('plays on when its link was signed anew, and begins anew when it is another one', async () => {
    const { rerender } = render(<AudioClip src={link('old')} label="Recording" />);
    await open();
    rerender(<AudioClip src={link('new')} label="Recording" />);
    expect(media().src).toBe(link('old'));
    rerender(<AudioClip src={link('old', '2')} label="Recording" />);
    expect(media().src).toBe(link('old', '2'));
    expect(screen.getByRole('button', { name: 'Play' })).toBeVisible();
    expect(position()).toHaveAttribute('data-disabled');
  });

  it('that the browser forbids to play stands ready to be played', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.mocked(HTMLMediaElement.prototype.play).mockRejectedValueOnce(
      new DOMException('no', 'NotAllowedError'),
    );
    render(<AudioClip src={link('a')} label="Recording" />);
    await press('Play');
    expect(await screen.findByRole('button', { name: 'Play' })).toBeVisible();
  });
});
