// Its types need macOS 15 and iOS 18, and the client runs on macOS 13 and iOS 16: there is nothing here to be found.
