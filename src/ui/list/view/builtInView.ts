import type { FilterValue } from '#ui/router/filtersInAddress.ts';

/** A view that comes with a list. */
export interface BuiltInView {
  name: string;
  filters: Readonly<Record<string, FilterValue>>;
  orderby?: string;
  isasc?: '0' | '1';
}
