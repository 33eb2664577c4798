import TenureHTTP

/// The shares of the server's limits that a connection's current request uses.
struct ResourceUse {
    /// The bytes of the body and of the response that count towards the shared memory limits.
    private var (bodyCounted, answerCounted) = (0, 0)
    private var isCounted = false
    /// Whether the request counts as being processed, and as a change.
    private var (isWorking, isChange) = (false, false)
    private var hasFile = false

    /// Counts the request as received, once.
    mutating func beginRequest(_ shared: Shared) {
        if !isCounted { shared.gauges.requestBegan() }
        isCounted = true
    }

    /// Counts more bytes of a body; returns `false` if the limit is reached.
    mutating func reserveBody(_ count: Int, _ shared: Shared) -> Bool {
        guard shared.gauges.bodyGrew(by: count, limit: shared.configuration.bodyMemory) else { return false }
        bodyCounted += count
        return true
    }

    mutating func releaseBody(_ shared: Shared) {
        if bodyCounted > 0 { shared.gauges.bodyShrank(by: bodyCounted) }
        bodyCounted = 0
    }

    /// Counts the request as being processed; returns `false` if a limit is reached.
    mutating func beginWork(isChange: Bool, _ shared: Shared) -> Bool {
        isWorking = shared.gauges.workBegan(isChange: isChange, under: shared.configuration)
        self.isChange = isChange
        return isWorking
    }

    /// Stops counting the request as being processed.
    ///
    /// A client that receives its response slowly only occupies a connection and the response's memory.
    mutating func endWork(_ shared: Shared) {
        if isWorking { shared.gauges.workEnded(isChange: isChange) }
        isWorking = false
    }

    /// Reserves memory or a file slot until the client has received the response; returns `false` if a limit is
    /// reached.
    mutating func beginSending(_ body: Response.Body, _ shared: Shared) -> Bool {
        let limits = shared.configuration
        switch body {
        case .file:
            hasFile = shared.gauges.fileBegan(limit: limits.filesInFlight)
            return hasFile
        case .bytes(let bytes):
            let counted = max(0, bytes.count - limits.smallBody)
            guard shared.gauges.answerGrew(by: counted, limit: limits.answerMemory) else { return false }
            answerCounted = counted
            return true
        }
    }

    /// Releases all shares, once the response was sent or the connection closed.
    mutating func endRequest(_ shared: Shared) {
        releaseBody(shared)
        endWork(shared)
        if answerCounted > 0 { shared.gauges.answerShrank(by: answerCounted) }
        if hasFile { shared.gauges.fileEnded() }
        if isCounted, shared.gauges.requestEnded() == 0, shared.isDraining { shared.wakeKeeper() }
        self = ResourceUse()
    }
}
