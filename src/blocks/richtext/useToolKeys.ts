import { useEffect, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';

const TOOLS = '[data-rich-text-editor-control]';
const isUsable = (tool: HTMLElement) => !tool.hasAttribute('data-disabled');

/**
 * The keys of a toolbar: Tab reaches one tool, the arrow keys, Home and End move to the others. The toolbar component sets the tab
 * order of each tool itself, so this hook changes it in the page.
 */
export function useToolKeys(place: RefObject<HTMLElement | null>) {
  const toolsOf = () => [...(place.current?.querySelectorAll<HTMLElement>(TOOLS) ?? [])];
  const choose = (chosen: HTMLElement | undefined) => {
    for (const tool of toolsOf()) tool.tabIndex = tool === chosen ? 0 : -1;
  };
  useEffect(() => {
    const tools = toolsOf();
    const current = tools.find((tool) => tool.tabIndex === 0 && isUsable(tool) && tool.matches(':focus'));
    choose(current ?? tools.find(isUsable));
  });
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => target.matches(TOOLS) && choose(target),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const target = event.target as HTMLElement;
      if (!target.matches(TOOLS)) return;
      const tools = toolsOf().filter(isUsable);
      const at = tools.indexOf(target);
      const next = {
        ArrowRight: tools[(at + 1) % tools.length],
        ArrowLeft: tools.at(at - 1),
        Home: tools[0],
        End: tools.at(-1),
      }[event.key];
      if (!next) return;
      event.preventDefault();
      next.focus();
    },
  };
}
