import type { ProviderEvaluation } from "./wire-types.js";

type Components = NonNullable<ProviderEvaluation["components"]>;
type NameOfCost = {
  [Name in keyof Components]-?: undefined extends Components[Name] ? Name : never;
}[keyof Components];

/** The terms of route_score, in points. */
export type ScoreComponents = Omit<Components, NameOfCost>;

/** The terms of deterministic-v2's objective, which are not part of the score. */
export type CostComponents = Required<Pick<Components, NameOfCost>>;
