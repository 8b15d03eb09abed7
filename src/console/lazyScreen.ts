import type { ComponentType } from 'react';
import type { Guard } from '#contract/menu.ts';
import { lazyPage } from '#ui/router/lazyDialog.tsx';

/** A page of the console. Its code loads when the page is first shown. */
export interface Screen {
  Page: ComponentType;
  /** Loads the code before the page is opened. Opening the page reports errors. */
  prefetch: () => Promise<unknown>;
}

/** Makes a page. `load` imports a file whose default export is the page. */
export const screen = (load: () => Promise<{ default: ComponentType }>): Screen => ({
  Page: lazyPage(load),
  prefetch: () => load().catch(() => undefined),
});

/**
 * A page outside the menu. `guard` is the screen or right that it needs, or several of which one is enough. A page without a guard is
 * open to every signed-in account.
 */
export interface DetailPage {
  path: string;
  title: string;
  guard?: Guard | readonly Guard[];
  /** the screens to which the page belongs in menu and breadcrumb, when the right is another one */
  under?: readonly Guard[];
  /** the page of this list to which it belongs in the breadcrumb; it stands before this one */
  within?: string;
  /** true: only authorities open the page; false: only others do */
  authority?: boolean;
  screen: Screen;
}
