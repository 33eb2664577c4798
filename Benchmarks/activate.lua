-- Activates licenses at random, each time for a new device.
local record, width, count
local body = '{"license_key":"%s","instance_name":"Bench device","machine_hash":"%s"}'

local function hash()
    local words = {}
    for place = 1, 16 do words[place] = ("%04x"):format(math.random(0, 65535)) end
    return table.concat(words)
end

function init(arguments)
    local file = assert(io.open(arguments[1], "rb"))
    record = file:read("*a")
    file:close()
    width = record:find("\n", 1, true)
    count = #record / width
    math.randomseed(tonumber(arguments[2]))
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
end

function request()
    local start = math.random(0, count - 1) * width + 1
    local space = record:find(" ", start, true)
    return wrk.format(nil, nil, nil, body:format(record:sub(start, space - 1), hash()))
end
