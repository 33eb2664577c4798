import TenureCore
import TenureHTTP

/// Answers through the router, counts the answer and logs one line about it.
struct ObservedHandler: Handler {
    let router: Router
    let metrics: Metrics
    let log: any Log
    let clock: any WallClock
    let stopwatch: @Sendable () -> Double

    func respond(to request: Request) async -> Response {
        let began = stopwatch()
        let match = router.match(request)
        var response = await router.respond(to: request, as: match)
        let seconds = stopwatch() - began
        let route = match.pattern ?? "none"
        response.headers.add("X-Request-Id", request.id)
        metrics.record(route: route, status: response.status, seconds: seconds)
        log.write(
            LogLine(
                response.status >= 500 ? .error : .info, "request",
                [
                    ("id", .text(request.id)), ("method", .text(request.method)), ("route", .text(route)),
                    ("status", .number(Int64(response.status))), ("us", .number(Int64(seconds * 1_000_000))),
                ]))
        return response
    }
}
