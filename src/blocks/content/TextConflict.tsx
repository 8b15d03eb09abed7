import { Button, Group, Text } from '@mantine/core';
import { isValidElement, useState, type ComponentProps, type ReactNode } from 'react';
import { FieldConflict } from '#ui/form/FieldConflict.tsx';

interface Props {
  error: ReactNode;
  /** what the text is called: 正文, 详情 */
  label: string;
  /** shows the other person's text */
  preview: (html: string, close: () => void) => ReactNode;
}

/**
 * Shows the error of a text of pages. When another person changed the text, both texts can be read before the choice; such a text does
 * not fit into a message.
 */
export function TextConflict({ error, label, preview }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isValidElement<ComponentProps<typeof FieldConflict>>(error) || error.type !== FieldConflict) return error;
  const { change, onAdopt, onKeep } = error.props;
  return (
    <div role="group" aria-label={`${label}被他人修改`}>
      <Text size="sm">
        {change.name}于 {change.time} 修改了{label}。您的{label}还在下面。
      </Text>
      <Group gap="xs" mt={6} mb={8}>
        <Button variant="default" size="compact-sm" onClick={() => setIsOpen(true)}>
          看对方的{label}
        </Button>
        <Button variant="default" size="compact-sm" onClick={onAdopt}>
          采用对方的
        </Button>
        <Button variant="default" size="compact-sm" onClick={onKeep}>
          保留我的
        </Button>
      </Group>
      {isOpen && preview(String(change.after ?? ''), () => setIsOpen(false))}
    </div>
  );
}
