/** Types of the part that a test calls. */
export declare function withoutDescriptionsIn(source: string): Promise<string>;
