#if canImport(Network)
    import Dispatch
    import Network

    extension LicenseManager {
        /// Asks the server each time the network is back, if it is time to, until the task is cancelled.
        public func refreshWhenOnline() async {
            var wasOnline = true
            for await isOnline in Self.networkChanges() {
                if isOnline, !wasOnline { await refreshIfNeeded() }
                wasOnline = isOnline
            }
        }

        private static func networkChanges() -> AsyncStream<Bool> {
            AsyncStream { stream in
                let monitor = NWPathMonitor()
                monitor.pathUpdateHandler = { path in stream.yield(path.status == .satisfied) }
                stream.onTermination = { _ in monitor.cancel() }
                monitor.start(queue: DispatchQueue(label: "tenure.network"))
            }
        }
    }
#endif
