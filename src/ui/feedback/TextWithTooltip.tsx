import { Tooltip } from '@mantine/core';

/** A term whose definition appears on hover and on focus. */
export const TextWithTooltip = ({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: string;
}) => (
  <Tooltip label={label}>
    <span className={className} tabIndex={0}>
      {children}
    </span>
  </Tooltip>
);
