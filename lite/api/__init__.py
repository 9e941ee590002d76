"""What users call: configurations, predictors, tensors, the optimiser tool."""
