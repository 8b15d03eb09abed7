import type { Bound } from '#server/actions/bound.ts';
import * as consultForms from '#features/consult/forms/forms.contract.ts';
import { consultFormHandlers } from '#features/consult/forms/forms.server.ts';
import * as consultPerson from '#features/consult/person/person.contract.ts';
import { personConsultHandlers } from '#features/consult/person/person.server.ts';
import * as consultRegister from '#features/consult/register/register.contract.ts';
import { registerHandlers } from '#features/consult/register/register.server.ts';
import * as consultBooking from '#features/consult/booking/booking.contract.ts';
import { bookingHandlers } from '#features/consult/booking/booking.server.ts';
import * as care from '#features/care/care.contract.ts';
import * as followUpWork from '#features/care/followup/work.contract.ts';
import { careHandlers } from '#features/care/care.server.ts';
import * as replay from '#features/warning/replay/replay.contract.ts';
import { replayHandlers } from '#features/warning/replay/replay.server.ts';
import * as supervision from '#features/supervision/supervision.contract.ts';
import { supervisionHandlers } from '#features/supervision/supervision.server.ts';
import * as consultSchedule from '#features/consult/schedule/schedule.contract.ts';
import { scheduleHandlers } from '#features/consult/schedule/schedule.server.ts';
import * as consultNote from '#features/consult/note/note.contract.ts';
import { noteHandlers } from '#features/consult/note/note.server.ts';
import * as casefile from '#features/warning/files/casefile.contract.ts';
import { casefileHandlers } from '#features/warning/files/casefile.server.ts';
import * as duty from '#features/warning/duty/duty.contract.ts';
import { dutyHandlers } from '#features/warning/duty/duty.server.ts';
import * as callList from '#features/warning/duty/calllist.contract.ts';
import { callListHandlers } from '#features/warning/duty/calllist.server.ts';
import * as handover from '#features/warning/handover/handover.contract.ts';
import { handoverHandlers } from '#features/warning/handover/handover.server.ts';
import * as reconcile from '#features/warning/reconcile/reconcile.contract.ts';
import { reconcileHandlers } from '#features/warning/reconcile/reconcile.server.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { contactTryHandlers } from '#features/warning/note/contactTry.server.ts';
import { handlingHandlers } from '#features/warning/handling/handling.server.ts';
import { riskassessHandlers } from '#features/warning/handling/riskassess.server.ts';
import * as safetyPlan from '#features/warning/plan/plan.contract.ts';
import { safetyPlanHandlers } from '#features/warning/plan/plan.server.ts';
import * as second from '#features/warning/second/second.contract.ts';
import { secondHandlers } from '#features/warning/second/second.server.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { specialHandlers } from '#features/warning/special/special.server.ts';
import * as transfer from '#features/warning/transfer/transfer.contract.ts';
import { transferHandlers } from '#features/warning/transfer/transfer.server.ts';
import * as localDuties from '#features/warning/special/localDuties.contract.ts';
import { localDutiesHandlers } from '#features/warning/special/localDuties.server.ts';
import * as warningRule from '#features/warning/rules/rule.contract.ts';
import { ruleHandlers } from '#features/warning/rules/rule.server.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { warningHandlers } from '#features/warning/warning.server.ts';

/** The contracts of warnings, duties, consultations, follow-ups and supervision, each with its handlers. */
export const casework: readonly Bound[] = [
  [consultForms, consultFormHandlers],
  [consultPerson, personConsultHandlers],
  [consultRegister, registerHandlers],
  [consultBooking, bookingHandlers],
  [{ ...care, ...followUpWork }, careHandlers],
  [replay, replayHandlers],
  [supervision, supervisionHandlers],
  [consultSchedule, scheduleHandlers],
  [consultNote, noteHandlers],
  [casefile, casefileHandlers],
  [duty, dutyHandlers],
  [callList, callListHandlers],
  [handover, handoverHandlers],
  [reconcile, reconcileHandlers],
  [handling, [...handlingHandlers, ...riskassessHandlers, ...contactTryHandlers]],
  [safetyPlan, safetyPlanHandlers],
  [second, secondHandlers],
  [special, specialHandlers],
  [transfer, transferHandlers],
  [localDuties, localDutiesHandlers],
  [warningRule, ruleHandlers],
  [warning, warningHandlers],
];
