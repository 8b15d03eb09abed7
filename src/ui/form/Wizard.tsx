import { Button, Group, Stepper } from '@mantine/core';
import { useState, type ReactNode } from 'react';

export interface Step {
  key: string;
  title: string;
  content: ReactNode;
  /** Returns the reason the next step is not available yet, or nothing. It may ask the server. */
  check?: () => string | undefined | Promise<string | undefined>;
}
interface Props {
  steps: readonly Step[];
  /** The last button; a promise keeps it busy. */
  onFinish: () => unknown;
  finish?: string;
  /** Shows the reason the reader cannot leave a step. */
  onRefuse: (reason: string) => void;
  /** The step of a refusal that came after the last button. A new object leads there, also a second time. */
  jump?: { to: string } | undefined;
}

/** Holds the current step of a wizard and the ways to the next and the previous step. */
function useWizard(steps: readonly Step[], onRefuse: (reason: string) => void, jump: Props['jump']) {
  const [stepIndex, setStepIndex] = useState(0);
  const [lastJump, setLastJump] = useState(jump);
  if (jump !== lastJump) {
    setLastJump(jump);
    const target = steps.findIndex(({ key }) => key === jump?.to);
    if (target >= 0) setStepIndex(target);
  }
  const [busy, setBusy] = useState(false);
  const pass = async (proceed: () => unknown) => {
    setBusy(true);
    try {
      const reason = await steps[stepIndex]?.check?.();
      if (reason) onRefuse(reason);
      else await proceed();
    } finally {
      setBusy(false);
    }
  };
  return {
    stepIndex,
    busy,
    back: () => setStepIndex((index) => Math.max(0, index - 1)),
    next: () => pass(() => setStepIndex((index) => index + 1)),
    finish: (proceed: () => unknown) => pass(proceed),
    to: (step: number) => step < stepIndex && setStepIndex(step),
  };
}

/** Shows steps one after the other. The reader can return to an earlier step by its heading. */
export function Wizard({ steps, onFinish, finish = '完成', onRefuse, jump }: Props) {
  const wizard = useWizard(steps, onRefuse, jump);
  const last = wizard.stepIndex === steps.length - 1;
  return (
    <>
      <Stepper active={wizard.stepIndex} onStepClick={wizard.to} size="sm" iconSize={30}>
        {steps.map((step, index) => (
          <Stepper.Step key={step.key} label={step.title} allowStepSelect={index < wizard.stepIndex}>
            {step.content}
          </Stepper.Step>
        ))}
      </Stepper>
      <Group justify="flex-end" mt="xl">
        {wizard.stepIndex > 0 && (
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
