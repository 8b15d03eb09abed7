import { OPERATOR_TYPES } from '#contract/action.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import * as contract from '#features/content/content.contract.ts';
import * as shelf from '#features/content/shelf.ts';
import { findAppids, type Reader } from '#features/content/shelf.queries.ts';

/** Staff as readers: contents for all populations of their institution. Nothing is noted while another account acts in theirs. */
async function asReader(ctx: ReadContext<'staff'>): Promise<ReadContext<'staff'> & { reader: Reader }> {
  const { musercode, musertype, accountid, loginasby } = ctx.caller;
  const isOperator = OPERATOR_TYPES.some((type) => type === musertype);
  const appids = isOperator ? 'all' : await findAppids(ctx.scope, musercode);
  const learner = loginasby === null ? { accountid } : null;
  return { ...ctx, reader: { audience: 'staff', musercode, appids, learner } };
}

export const contentHandlers = [
  handle(contract.getShelfArticles, async (request, ctx) => shelf.listArticles(await asReader(ctx), request)),
  handle(contract.getShelfArticle, async (request, ctx) => shelf.openArticle(await asReader(ctx), request)),
  handle(contract.getShelfMusic, async (request, ctx) => shelf.listMusic(await asReader(ctx), request)),
  handle(contract.getShelfCourses, async (request, ctx) => shelf.listCourses(await asReader(ctx), request)),
  handle(contract.getShelfCourse, async (request, ctx) => shelf.openCourse(await asReader(ctx), request)),
  handle(contract.getShelfMedia, async (request, ctx) => shelf.linkMedia(await asReader(ctx), request)),
  handle(contract.saveShelfProgress, async (request, ctx) => shelf.saveProgress(await asReader(ctx), request)),
];
