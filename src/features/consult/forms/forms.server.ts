import { toQuestionnaire } from '#domain/exam/questionFlow.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/consult/forms/forms.contract.ts';
import * as queries from '#features/consult/forms/forms.queries.ts';
import { requireApplicant } from '#features/consult/register/applicant.ts';

/** 登记表设置. The settings are those of the caller's own institution. */

const getConsultFormList = handle(contract.getConsultFormList, async ({ cuserid }, { scope, caller, now }) => {
  const person = cuserid === undefined ? undefined : await requireApplicant(scope, cuserid, now);
  const musercode = person?.musercode ?? caller.musercode;
  const uses = await queries.countUses(scope, musercode);
  const forms = person
    ? await queries.findOfferedForms(scope, musercode, person.appid)
    : await queries.findConsultForms(scope, musercode);
  return {
    selfbook: (await queries.isSelfbookAllowed(scope, musercode)) ? 1 : 0,
    rows: forms.map(({ scale: _scale, appids, isown, enabled, ...form }) => ({
      ...form,
      appids: [...appids],
      isown: isown ? 1 : 0,
      enabled: enabled ? 1 : 0,
      uses: uses.get(form.formcode) ?? 0,
    })),
  };
});

const updateConsultForm = handle(
  contract.updateConsultForm,
  async ({ formcode, title, enabled, ordernum, selfbook }, { scope, caller, now, audit }) => {
    const { musercode, ownTeamsOnly } = caller;
    if (ownTeamsOnly) throw problems.notAllowed();
    if (selfbook !== undefined) await queries.saveSelfbook(scope, musercode, selfbook);
    audit({ objectid: formcode ?? 'consult.selfbook', detail: { title, enabled, ordernum, selfbook } });
    if (formcode === undefined) return {};
    const [form] = await queries.findConsultForms(scope, musercode, formcode);
    if (!form) throw problems.notFound({ what: '登记表' });
    if (enabled === 1 && form.purpose !== '01')
      throw problems.invalid({ message: '只有用途为“申请”的登记表可以启用，随访和访谈用表由工作人员填写' }, { field: 'enabled' });
    const shown = title ?? form.title;
    await queries.saveConsultForm(scope, {
      musercode,
      formcode,
      // The title of the form is kept as '', so that a new title of the form is seen.
      title: shown === form.formname ? '' : shown,
      enabled: enabled ?? (form.enabled ? 1 : 0),
      ordernum: ordernum ?? form.ordernum,
      updatetime: now,
    });
    return {};
  },
);

const getConsultForm = handle(contract.getConsultForm, async ({ formcode, cuserid }, { scope, caller, now }) => {
  const person = cuserid === undefined ? undefined : await requireApplicant(scope, cuserid, now);
  const [form] = await queries.findConsultForms(scope, person?.musercode ?? caller.musercode, formcode);
  if (!form) throw problems.notFound({ what: '登记表' });
  const { formversion, title, scale } = form;
  const facts = (person?.facts ?? {}) as Record<string, string | number | null>;
  return { formcode, formversion, title, definition: toQuestionnaire(scale), person: facts };
});

export const consultFormHandlers = [getConsultFormList, updateConsultForm, getConsultForm];
