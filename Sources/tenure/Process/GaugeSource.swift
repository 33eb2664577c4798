import Glibc
import TenureHTTPServer

/// Supplies `/metrics` with the gauges of the running process.
struct GaugeSource {
    let gauges: HTTPServer.Gauges

    /// The gauges in the Prometheus text format.
    @Sendable func text() -> String {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let whole = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let cpu = Double(whole) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        return """
            # HELP process_cpu_seconds_total User and system CPU time of the process.
            # TYPE process_cpu_seconds_total counter
            process_cpu_seconds_total \(cpu)
            # HELP tenure_connections Connections open now.
            # TYPE tenure_connections gauge
            tenure_connections \(gauges.connectionCount)
            # HELP tenure_requests_in_flight Requests being answered now.
            # TYPE tenure_requests_in_flight gauge
            tenure_requests_in_flight \(gauges.requestsInFlight)

            """
    }
}
