#if !canImport(Darwin)
    import Synchronization
    import TenureHTTP

    /// Runs all transfers of one transport on one thread.
    final class CurlLoop: Sendable {
        typealias Outcome = Result<Response, TransportError>

        /// A command from another thread.
        enum Command: Sendable {
            case start(CurlTicket, CurlCall, CheckedContinuation<Outcome, Never>)
            case cancel(CurlTicket)
            case stop
        }

        private let multi: CurlMulti
        private let inbox = Mutex<[Command]>([])

        init(multi: CurlMulti) { self.multi = multi }

        func put(_ command: Command) {
            inbox.withLock { $0.append(command) }
            multi.wake()
        }

        /// Runs until `.stop`, which a transport sends when it is released and has no transfers left.
        func run() {
            var active: [ObjectIdentifier: CurlExchange] = [:]
            var isStopping = false
            while !isStopping {
                for command in inbox.withLock({ commands in commands.takeAll() }) {
                    switch command {
                    case .start(let ticket, let call, let continuation):
                        start(ticket, call, continuation, among: &active)
                    case .cancel(let ticket):
                        if let exchange = active.removeValue(forKey: ObjectIdentifier(ticket)) {
                            multi.remove(exchange.handle)
                            exchange.finish(.failure(.cancelled))
                        }
                    case .stop:
                        isStopping = true
                    }
                }
                multi.perform()
                while let (exchange, code) = multi.nextFinished() {
                    active[ObjectIdentifier(exchange.ticket)] = nil
                    multi.remove(exchange.handle)
                    exchange.finish(exchange.outcome(of: code))
                }
                if !isStopping { multi.wait() }
            }
        }

        private func start(
            _ ticket: CurlTicket, _ call: CurlCall, _ continuation: CheckedContinuation<Outcome, Never>,
            among active: inout [ObjectIdentifier: CurlExchange]
        ) {
            guard !ticket.isCancelled else {
                continuation.resume(returning: .failure(.cancelled))
                return
            }
            do throws(TransportError) {
                let exchange = CurlExchange(
                    handle: try CurlHandle(call.request, call.options), ticket: ticket, request: call.request,
                    options: call.options, sink: call.sink, continuation: continuation)
                exchange.takeCallbacks()
                try multi.add(exchange.handle)
                active[ObjectIdentifier(ticket)] = exchange
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }

    extension [CurlLoop.Command] {
        fileprivate mutating func takeAll() -> Self {
            defer { self = [] }
            return self
        }
    }

    /// The input of one transfer.
    struct CurlCall: Sendable {
        let request: OutgoingRequest
        let options: TransportOptions
        /// Receives the body; `nil` to collect it in the response.
        var sink: HTTPSink?
    }

    /// Identifies one call of `send` to the loop, which may receive the call's cancellation before its start.
    final class CurlTicket: Sendable {
        private let mark = Atomic(false)

        var isCancelled: Bool { mark.load(ordering: .relaxed) }

        func cancel() { mark.store(true, ordering: .relaxed) }
    }
#endif
