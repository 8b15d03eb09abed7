import { MultiSelect, Select, type MultiSelectProps, type SelectProps } from '@mantine/core';

/** The kit's lists to choose from, for `LateInput`. */
export const Choice = (props: SelectProps) => <Select {...props} />;
export const Choices = (props: MultiSelectProps) => <MultiSelect {...props} />;
