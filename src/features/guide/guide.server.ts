import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { stepsOf } from '#features/guide/checklists.ts';
import * as contract from '#features/guide/guide.contract.ts';
import * as queries from '#features/guide/guide.queries.ts';

const getChecklist = handle(contract.getChecklist, async (_, { scope, caller, authn }) => {
  const steps = stepsOf(caller);
  if (steps.length === 0) return { steps: [], ishidden: true };
  const { visited, ishidden } = await queries.findGuide(scope, caller);
  const facts = {
    ...(await queries.findFacts(scope, caller)),
    factor: caller.hasfactor,
    feed: await queries.hasFeed(authn, caller.accountid),
  };
  return {
    ishidden,
    steps: steps.map(({ key, title, hint, path, fact }) => ({
      key,
      title,
      hint,
      path,
      isdone: fact === null ? visited.includes(key) : facts[fact],
      isvisit: fact === null,
    })),
  };
});

const visitStep = handle(contract.visitStep, async ({ key }, { scope, caller }) => {
  const isOwn = stepsOf(caller).some((step) => step.key === key && step.fact === null);
  if (!isOwn) throw problems.notFound({ what: '步骤' });
  await queries.saveVisit(scope, caller, key);
  return {};
});

const hideChecklist = handle(contract.hideChecklist, async ({ ishidden }, { scope, caller }) => {
  await queries.saveHidden(scope, caller, ishidden);
  return {};
});

const readReleases = handle(contract.readReleases, async ({ release }, { scope, caller }) => {
  await queries.saveRelease(scope, caller, release);
  return {};
});

/** The handlers of the checklist and of the release notes. */
export const guideHandlers = [getChecklist, visitStep, hideChecklist, readReleases];
