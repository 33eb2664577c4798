// Empty on purpose: this module's types need macOS 15 or iOS 18, but the client supports macOS 13 and iOS 16.
