import { Button, Group, Stepper } from '@mantine/core';
import { useState, type ReactNode } from 'react';

export interface Step {
  key: string;
  title: string;
  content: ReactNode;
  /** Returns the reason why the next step is not available yet, or nothing. It may ask the server. */
  check?: () => string | undefined | Promise<string | undefined>;
}
interface Props {
  steps: readonly Step[];
  /** The last button; a promise keeps it busy. */
  onFinish: () => unknown;
  finish?: string;
  /** Shows the reason why the reader cannot leave a step. */
  onRefuse: (why: string) => void;
}

/** Holds the current step of a wizard and the ways to the next and the previous step. */
function useWizard(steps: readonly Step[], onRefuse: (why: string) => void) {
  const [at, setAt] = useState(0);
  const [busy, setBusy] = useState(false);
  const pass = async (then: () => unknown) => {
    setBusy(true);
    try {
      const why = await steps[at]?.check?.();
      if (why) onRefuse(why);
      else await then();
    } finally {
      setBusy(false);
    }
  };
  return {
    at,
    busy,
    back: () => setAt((one) => Math.max(0, one - 1)),
    next: () => pass(() => setAt((one) => one + 1)),
    finish: (then: () => unknown) => pass(then),
    to: (step: number) => step < at && setAt(step),
  };
}

/** Shows steps one after the other. The reader can return to an earlier step by its heading. */
export function Wizard({ steps, onFinish, finish = '完成', onRefuse }: Props) {
  const wizard = useWizard(steps, onRefuse);
  const last = wizard.at === steps.length - 1;
  return (
    <>
      <Stepper active={wizard.at} onStepClick={wizard.to} size="sm" iconSize={30}>
        {steps.map((step, index) => (
          <Stepper.Step key={step.key} label={step.title} allowStepSelect={index < wizard.at}>
            {step.content}
          </Stepper.Step>
        ))}
      </Stepper>
      <Group justify="flex-end" mt="xl">
        {wizard.at > 0 && (
          <Button variant="default" onClick={wizard.back}>
            上一步
          </Button>
        )}
        {last ? (
          <Button loading={wizard.busy} onClick={() => void wizard.finish(onFinish)}>
            {finish}
          </Button>
        ) : (
          <Button loading={wizard.busy} onClick={() => void wizard.next()}>
            下一步
          </Button>
        )}
      </Group>
    </>
  );
}
