import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { createElement, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { describeSeveralNames } from '#domain/person/names.ts';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { call } from '#ui/api/call.ts';
import { CHANGED_MEANWHILE, conflictOf, type Conflict } from '#ui/api/conflict.ts';
import { isRequired, titleOf } from '#contract/fieldTitles.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { formatPastQuestion, isPast } from '#ui/form/askAboutPast.ts';
import { FieldConflict } from '#ui/form/FieldConflict.tsx';
import { isUnchanged, validatePayload, toPayload } from '#ui/form/formPayload.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import { useUnsaved } from '#ui/router/unsaved.ts';

type Values = Record<string, unknown>;

/** `problems.wrongState` of contract/problem.ts. */
const WRONG_STATE = 140001;

export interface ActionFormOptions<A extends Action> {
  /** Initial values: the row to edit, or the defaults of a new one. */
  initial?: Partial<RequestOf<A>>;
  onDone?: (result: ResponseOf<A>) => void;
  /** Reads to renew after saving; all when absent. */
  invalidates?: readonly Action[];
  /** Message on success. */
  successMessage?: string;
  /** Fields with a day or a time that normally lies ahead. The form asks before it sends a new one that has passed. */
  future?: readonly (keyof RequestOf<A> & string)[];
  /** Fields with the name of one person. The form asks before it sends a new text that seems to be several names. */
  names?: readonly (keyof RequestOf<A> & string)[];
  /** Reads the values of a person again after a conflict; the refusal itself shows none (`Edits.isPrivate`). */
  reread?: () => Promise<Partial<RequestOf<A>>>;
  /** What to show at the field of a refusal instead of its message, for example a link; undefined for the message. */
  describeFault?: (error: ApiError) => ReactNode;
  /** A refusal of the step itself (140001), which belongs to no field, stands in the form; a short message when absent. */
  showsRefusal?: boolean;
  /** Sends by another action that takes this request in its field `within`. Its refusals still appear at the fields. */
  through?: { send: (request: RequestOf<A>) => Promise<unknown>; within: string };
}

const valueAt = (values: Values, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (value as Values | undefined)?.[name], values);
/** Returns the values with another value at a field, which may be a member of an object. */
const withValue = (values: Values, field: string, value: unknown): Values => {
  const [name = '', member] = field.split('.');
  return { ...values, [name]: member === undefined ? value : { ...(values[name] as Values), [member]: value } };
};

/** Returns the faults of a refusal by field when its field is one of several members, such as the answers of a form. */
function faultsOf({ data }: ApiError, field: string): Record<string, string> {
  const [name, member] = field.split('.');
  const { faults } = data as { faults?: unknown };
  if (member === undefined || typeof faults !== 'object' || faults === null || Array.isArray(faults)) return {};
  return Object.fromEntries(
    Object.entries(faults).flatMap(([key, fault]) => (typeof fault === 'string' ? [[`${name}.${key}`, fault]] : [])),
  );
}

/**
 * A form over an action's request schema, which gives validation, messages and labels. The server's refusals appear at their field,
 * and the first error gets the focus. It cannot be sent twice, and unsaved changes are guarded.
 * `field('username')` returns an input's label, value, error and required mark.
 */
export function useActionForm<A extends Action>(
  action: A,
  {
    initial,
    onDone,
    invalidates,
    successMessage = '保存成功',
    future,
    names,
    reread,
    describeFault,
    showsRefusal = false,
    through,
  }: ActionFormOptions<A> = {},
) {
  const client = useQueryClient();
  const sending = useRef(false);
  const place = useRef<HTMLFormElement>(null);
  // The values that the server has, as far as this form knows: an input emptied since then is cleared there.
  const saved = useRef<Values>({ ...(initial as Values | undefined) });
  const form = useForm<Values>({
    initialValues: { ...(initial as Values | undefined) },
    validate: (values) => validatePayload(action, values, saved.current),
    clearInputErrorOnChange: true,
  });
  const dirty = form.isDirty();
  useUnsaved(dirty);

  // Another person saved first: the form names that person and keeps the input. If the page then shows the newer state, saving
  // again is deliberate.
  const outdated = useRef(false);
  const version = (initial as Values | undefined)?.['version'];
  const { setFieldValue, getValues } = form;
  useEffect(() => {
    if (!outdated.current || version === undefined || getValues()['version'] === version) return;
    outdated.current = false;
    setFieldValue('version', version as never);
  }, [version, setFieldValue, getValues]);

  const focusFault = (faults: Readonly<Record<string, unknown>>) => {
    const [first] = Object.keys(faults);
    if (first === undefined) return;
    // An error without a field in this form would be invisible: show it as a message.
    const input = place.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(first)}"]`);
    input?.closest('details')?.setAttribute('open', '');
    if (input) input.focus();
    else if (typeof faults[first] === 'string') notify.error(faults[first]);
  };

  // Another person changed fields of this form: nothing typed is lost, and each field offers both values.
  const [conflict, setConflict] = useState<{ name: string; time: string }>();
  const [refusal, setRefusal] = useState<string>();
  const showConflict = async ({ changes, version: present }: Conflict) => {
    const readAgain = reread ? ((await reread()) as Values) : undefined;
    const faults: Record<string, ReactNode> = {};
    for (const change of changes) {
      const { field } = change;
      const after = readAgain ? valueAt(readAgain, field) : change.after;
      const before = valueAt(saved.current, field);
      const done = () => form.clearFieldError(field);
      const onAdopt = () => {
        form.setFieldValue(field, after as never);
        done();
      };
      faults[field] = createElement(FieldConflict, { change: { ...change, before, after }, onAdopt, onKeep: done });
      // The other value is now what the server has: keeping one's own is a change, adopting theirs is none.
      saved.current = withValue(saved.current, field, after);
    }
    saved.current = { ...saved.current, version: present };
    form.setFieldValue('version', present as never);
    form.setErrors(faults);
    const [latest] = changes;
    if (latest) setConflict({ name: latest.name, time: latest.time });
    // The notice above the fields must be there first, or the focus would scroll it away.
    requestAnimationFrame(() => focusFault(faults));
  };

  /** Returns the first new value of a field that is probably a mistake, with the question about it. */
  const findDoubt = (request: Values): { field: string; question: string } | undefined => {
    const textOf = (field: string) => (request[field] === saved.current[field] ? '' : String(request[field] ?? ''));
    const past = future?.find((field) => isPast(textOf(field)));
    if (past !== undefined)
      return { field: past, question: formatPastQuestion(titleOf(action.request, [past]) ?? '日期', textOf(past)) };
    const several = names?.find((field) => describeSeveralNames(textOf(field)) !== undefined);
    if (several === undefined) return undefined;
    const title = titleOf(action.request, [several]) ?? '姓名';
    return { field: several, question: `${title}${describeSeveralNames(textOf(several)) ?? ''}。确定是一个人吗？` };
  };

  // The last request that was sent with success. A form that is about to close must not create the same thing twice.
  const delivered = useRef<string>(undefined);
  const send = async (values: Values) => {
    if (sending.current) return;
    const request = toPayload(action, values, saved.current) as RequestOf<A>;
    const requestText = JSON.stringify(request);
    if (action.edits === undefined && delivered.current === requestText) return;
    sending.current = true;
    const doubt = findDoubt(request as Values);
    // The dialog gives the focus back to where it was: to the field in doubt.
    if (doubt) focusFault({ [doubt.field]: '' });
    if (doubt && !(await confirm({ text: doubt.question, yes: '确定', no: '返回修改' }))) {
      sending.current = false;
      return;
    }
    form.setSubmitting(true);
    setRefusal(undefined);
    try {
      const result = (
        isUnchanged(action, values, saved.current) ? {} : await (through ? through.send(request) : call(action, request))
      ) as ResponseOf<A>;
      delivered.current = requestText;
      const { version: next } = result as { version?: number };
      saved.current = next !== undefined && 'version' in values ? { ...values, version: next } : values;
      if (saved.current !== values) form.setFieldValue('version', next as never);
      setConflict(undefined);
      form.resetDirty(saved.current);
      if (successMessage) notify.done(successMessage);
      // Read again before the form closes: the next form must not start from the old values.
      await invalidateActions(client, invalidates);
      onDone?.(result);
    } catch (error) {
      const newer = conflictOf(error);
      if (newer) {
        void invalidateActions(client, invalidates);
        return await showConflict(newer);
      }
      if (error instanceof ApiError && error.code === CHANGED_MEANWHILE) {
        outdated.current = true;
        void invalidateActions(client, invalidates);
      }
      const faultyField = error instanceof ApiError ? error.field : undefined;
      const field =
        through && faultyField?.startsWith(`${through.within}.`) ? faultyField.slice(through.within.length + 1) : faultyField;
      if (field) {
        const faults = faultsOf(error as ApiError, field);
        for (const [name, fault] of Object.entries(faults)) form.setFieldError(name, fault);
        form.setFieldError(field, describeFault?.(error as ApiError) ?? faults[field] ?? (error as ApiError).message);
        focusFault({ [field]: (error as ApiError).message });
      } else if (showsRefusal && error instanceof ApiError && error.code === WRONG_STATE) setRefusal(error.message);
      else notifyError(error);
    } finally {
      sending.current = false;
      form.setSubmitting(false);
    }
  };

  const field = (name: keyof RequestOf<A> & string, type: 'input' | 'checkbox' = 'input') => ({
    label: titleOf(action.request, [name]),
    required: isRequired(action.request, [name]),
    ...(type === 'input' ? { value: form.values[name] === undefined ? '' : undefined } : {}),
    ...form.getInputProps(name, { type, withFocus: true }),
    ...(type === 'input' && (form.values[name] === undefined || form.values[name] === null) ? { value: '' } : {}),
    'data-path': name,
  });

  return {
    values: form.values as Partial<RequestOf<A>> & Values,
    /** Props of an input for a field of the request. */
    field,
    /** Sets a field without its input. */
    set: (name: keyof RequestOf<A> & string, value: unknown) => form.setFieldValue(name, value as never),
    error: (name: string): ReactNode => form.errors[name] ?? undefined,
    /** Another person changed fields meanwhile; the fields show how. */
    conflict,
    /** Why the server refused the step. */
    refusal,
    /** Resets the form to other values, e.g. when another row is opened. */
    start: (values: Partial<RequestOf<A>>) => {
      saved.current = values as Values;
      delivered.current = undefined;
      setConflict(undefined);
      form.setInitialValues(values as Values);
      form.setValues(values as Values);
      form.clearErrors();
      form.resetDirty(values as Values);
    },
    submit: (event?: FormEvent<HTMLFormElement>) => {
      event?.preventDefault();
      const faults = validatePayload(action, form.getValues(), saved.current);
      form.setErrors(faults);
      if (Object.keys(faults).length) focusFault(faults);
      else void send(form.getValues());
    },
    place,
    busy: form.submitting,
    dirty,
  };
}

export type ActionForm<A extends Action> = ReturnType<typeof useActionForm<A>>;
