import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';

/** Saved views (视图) of the lists of the console: filters, order, columns, density and widths under a name. */

/** The name of the list's action. */
const listName = z.string().min(1).max(110).describe('列表');
const filterText = z.string().max(200);
const columnKey = z.string().max(60);

/** How dense the rows of a list stand. */
export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

/** The limits of a column's width in px. */
export const COLUMN_WIDTH = { least: 60, most: 800 } as const;

/** The look of a list's table. */
export const listLook = z.strictObject({
  /** columns that the reader shows or hides; the others follow the list */
  columns: z.record(columnKey, z.boolean()),
  density: z.enum(DENSITIES),
  /** px */
  widths: z.record(columnKey, z.number().int().min(COLUMN_WIDTH.least).max(COLUMN_WIDTH.most)),
});
export type ListLook = z.infer<typeof listLook>;

/** What a view restores. The filters are those of the address bar. */
export const listViewState = listLook.extend({
  filters: z.record(columnKey, z.union([filterText, z.array(filterText).max(200)])),
  orderby: z.string().max(60).optional(),
  isasc: z.enum(['0', '1']).optional(),
  pageSize: z.number().int().min(1).max(200).optional(),
});
export type ListViewState = z.infer<typeof listViewState>;

/** Lists the views that the caller can open, of all lists: the own ones and the shared ones of the institution. */
export const getListViews = defineAction({
  name: 'as.m.list.getListViews',
  title: '查询列表视图',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    views: z.array(
      z.object({
        viewid: z.number().int(),
        list: z.string(),
        name: z.string(),
        state: listViewState,
        isshared: z.number().int(),
        /** 1: the caller saved it and may change it */
        isown: z.number().int(),
        ownername: z.string(),
        /** 1: the list opens with it for the caller */
        isdefault: z.number().int(),
      }),
    ),
  }),
});
export type ListView = z.infer<typeof getListViews.response>['views'][number];

/**
 * Saves a view, or changes an own one (`viewid`). Answers 120002 at `name` when the caller has another view of this list with the name,
 * 140001 beyond 50 views, and 130001 for a view of somebody else.
 */
export const saveListView = defineAction({
  name: 'as.m.list.saveListView',
  title: '保存列表视图',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({
    viewid: z.number().int().optional(),
    list: listName,
    name: z.string().trim().min(1).max(20).describe('视图名称'),
    isshared: z.number().int().min(0).max(1).describe('与本机构同事共享'),
    state: listViewState.describe('视图内容'),
  }),
  response: z.object({ viewid: z.number().int() }),
});

/** Deletes an own view, also where colleagues open a list with it. Answers 130001 for a view of somebody else. */
export const deleteListView = defineAction({
  name: 'as.m.list.deleteListView',
  title: '删除列表视图',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ viewid: z.number().int() }),
  response: z.object({}),
});

/** Sets the view with which a list opens for the caller; null for none. Answers 130001 for a view that the caller cannot open. */
export const setDefaultListView = defineAction({
  name: 'as.m.list.setDefaultListView',
  title: '设置默认列表视图',
  allow: anyStaff,
  kind: 'write',
  personal: true,
  request: z.strictObject({ list: listName, viewid: z.number().int().nullable() }),
  response: z.object({}),
});
