import { chooseHotlines } from '#domain/exam/hotline.ts';
import { isAnonymousSource } from '#domain/person/source.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import * as contract from '#features/content/person.contract.ts';
import * as shelf from '#features/content/shelf.ts';
import { findPerson, type Reader } from '#features/content/shelf.queries.ts';
import { findInstitutionHotlines } from '#features/hotline/hotline.queries.ts';

/** A person as a reader: contents for the person's population. Nothing is noted of a person without a name. */
async function asReader(ctx: ReadContext<'respondent'>): Promise<ReadContext<'respondent'> & { reader: Reader }> {
  const { musercode, cuserid } = ctx.caller;
  const person = await findPerson(ctx.scope, cuserid);
  const learner = person && !isAnonymousSource(person.source) ? { cuserid } : null;
  return { ...ctx, reader: { audience: 'persons', musercode, appids: person ? [person.appid] : [], learner } };
}

const getPersonHotline = handle(contract.getPersonHotline, async (_, { scope, caller, now }) =>
  chooseHotlines(await findInstitutionHotlines(scope, caller.musercode), now).map(({ number, name, hours }) => ({
    name,
    phone: number,
    hours,
  })),
);

export const personContentHandlers = [
  handle(contract.getPersonArticles, async (request, ctx) => shelf.listArticles(await asReader(ctx), request)),
  handle(contract.getPersonArticle, async (request, ctx) => shelf.openArticle(await asReader(ctx), request)),
  handle(contract.getPersonMusic, async (request, ctx) => shelf.listMusic(await asReader(ctx), request)),
  handle(contract.getPersonCourses, async (request, ctx) => shelf.listCourses(await asReader(ctx), request)),
  handle(contract.getPersonCourse, async (request, ctx) => shelf.openCourse(await asReader(ctx), request)),
  handle(contract.getPersonMedia, async (request, ctx) => shelf.linkMedia(await asReader(ctx), request)),
  handle(contract.savePersonProgress, async (request, ctx) => shelf.saveProgress(await asReader(ctx), request)),
  getPersonHotline,
];
