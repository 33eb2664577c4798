#if !canImport(Darwin)
    import TenureThreads

    /// Sends requests with libcurl's multi interface, all of them on one thread of its own.
    ///
    /// The thread ends with the transport, and sleeps without a timer while nothing is under way.
    final class CurlTransport: HTTPTransport {
        private let loop: CurlLoop

        init(_ options: TransportOptions) throws(TransportError) {
            try CurlLibrary.start()
            let loop = CurlLoop(multi: try CurlMulti(connections: options.connectionLimit), options: options)
            do throws(ThreadError) {
                try startThread { loop.run() }
            } catch {
                throw TransportError(.noResources, error.description)
            }
            self.loop = loop
        }

        deinit { loop.put(.stop) }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            try request.check()
            let ticket = CurlTicket()
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    loop.put(.start(ticket, request, continuation))
                }
            } onCancel: {
                ticket.cancel()
                loop.put(.cancel(ticket))
            }
            return try outcome.get()
        }
    }
#endif
