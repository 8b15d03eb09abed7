import type { Bound } from '#server/actions/bound.ts';
import * as content from '#features/content/content.contract.ts';
import { contentHandlers } from '#features/content/content.server.ts';
import * as personContent from '#features/content/person.contract.ts';
import { personContentHandlers } from '#features/content/person.server.ts';
import * as article from '#features/article/article.contract.ts';
import { articleHandlers } from '#features/article/article.server.ts';
import * as music from '#features/music/music.contract.ts';
import { musicHandlers } from '#features/music/music.server.ts';
import * as course from '#features/classroom/course.contract.ts';
import { classroomHandlers } from '#features/classroom/course.server.ts';
import * as goods from '#features/goods/goods.contract.ts';
import { goodsHandlers } from '#features/goods/goods.server.ts';
import * as order from '#features/order/order.contract.ts';
import * as refund from '#features/order/refund/refund.contract.ts';
import { orderHandlers } from '#features/order/order.server.ts';
import * as orderReconcile from '#features/order/reconcile/reconcile.contract.ts';
import { reconcileHandlers as orderReconcileHandlers } from '#features/order/reconcile/reconcile.server.ts';

/** The contracts of articles, music, lessons, goods and orders, each with its handlers. */
export const shelf: readonly Bound[] = [
  [content, contentHandlers],
  [personContent, personContentHandlers],
  [article, articleHandlers],
  [music, musicHandlers],
  [course, classroomHandlers],
  [goods, goodsHandlers],
  [{ ...order, ...refund }, orderHandlers],
  [orderReconcile, orderReconcileHandlers],
];
