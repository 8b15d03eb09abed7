import { randomBytes } from 'node:crypto';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/planner/planner.contract.ts';
import * as queries from '#features/planner/planner.queries.ts';

const getCalendarFeed = handle(contract.getCalendarFeed, async (_, { authn, caller }) => {
  const feed = await queries.findFeed(authn, caller.accountid);
  return feed ? { createtime: shanghaiTime(feed.createtime), lasttime: feed.lasttime && shanghaiTime(feed.lasttime) } : null;
});

const createCalendarFeed = handle(contract.createCalendarFeed, async (_, { authn, caller, publicUrl }) => {
  if (!caller.userid) throw problems.wrongState({ why: '机构账号没有自己的日程，请用同事本人的账号订阅' });
  const secret = randomBytes(32).toString('base64url');
  await queries.saveFeed(authn, caller.accountid, hashToken(secret));
  return { url: `${publicUrl}/calendar/${secret}.ics` };
});

const deleteCalendarFeed = handle(contract.deleteCalendarFeed, async (_, { authn, caller }) => {
  await queries.deleteFeed(authn, caller.accountid);
  return {};
});

/** The handlers of the calendar's address. */
export const plannerHandlers = [getCalendarFeed, createCalendarFeed, deleteCalendarFeed];
