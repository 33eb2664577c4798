package import TenureCore
package import TenureFormats
package import TenureHTTP

extension RetryAfter {
    /// The seconds to wait according to a response's headers; `nil` if they don't say or are invalid.
    package static func seconds(in headers: Headers, now: Timestamp) -> Int64? {
        seconds(headers["Retry-After"], answered: headers["Date"], now: now)
    }
}
