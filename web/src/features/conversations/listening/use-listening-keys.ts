import { useEffect } from 'react';
import type { ConversationPlayer } from './conversation-player.ts';

/** Seconds of one arrow key. */
const ARROW_STEP = 5;

/**
 * Space plays and pauses, the left and right arrows seek, with Shift by turns. Active only after the first playing, and
 * never while a control has the focus: until then the space bar scrolls as usual.
 */
export function useListeningKeys(player: ConversationPlayer): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { turnId, at } = player.read();
      if (turnId === null || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(CONTROLS)) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return;
      const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : null;
      if (event.key === ' ' && !event.shiftKey) player.toggle();
      else if (direction && event.shiftKey) player.step(direction);
      else if (direction) player.seek(at + direction * ARROW_STEP);
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [player]);
}

/** Elements that use these keys themselves. */
const CONTROLS =
  'button, a[href], input, textarea, select, summary, [role="slider"], [contenteditable="true"]';
